import type { CounterName, GaugeName, HistogramName, LabelsOf } from "./families.ts";

/** Says what a gauge is now. */
export type SetGauge = <N extends GaugeName>(name: N, labels: LabelsOf<N>, value: number) => void;

/** Reads a group of gauges. A rejection, or silence for a second, leaves them out of this collection. */
export type GaugeSource = (set: SetGauge) => void | Promise<void>;

/** What a role counts with. Cheap enough for every append and every answer: well under a microsecond. */
export interface Meter {
  add<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void;
}

/** All metrics of one process. */
export interface Metrics extends Meter {
  /** Has `read` asked at each collection. A name that is there already is taken over: the last one speaks. */
  watch(source: string, read: GaugeSource): void;
  /** The figures in Prometheus' text format. Collected at most once a second, and once for all who ask at once. */
  text(): Promise<string>;
}

/** For what runs without anybody looking: tests, and programs that serve nothing. */
export const noMeter: Meter = { add: () => undefined, observe: () => undefined };
