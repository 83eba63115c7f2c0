/*
 * Runs inside the engine before any program: takes away what a program must not have, freezes the rest, and
 * gives the few surfaces there are. It is read as text, never imported. Each surface crosses by `host(op, a, b)`,
 * text in and text out; nothing of the host is ever an object in here.
 */
(function (host) {
  "use strict";
  const { parse, stringify } = JSON;
  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { apply, construct, ownKeys } = Reflect;
  const { isArray } = Array;
  const RealDate = Date;
  const RealFunction = Function;
  const toText = String;
  const sliceText = String.prototype.slice;

  const kept = [
    "Object Function Error EvalError RangeError ReferenceError SyntaxError TypeError URIError InternalError",
    "AggregateError Array Number Boolean String Symbol BigInt Math Reflect JSON Map Set WeakMap WeakSet Proxy",
    "Promise RegExp Date Iterator ArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array",
    "Uint8ClampedArray Float16Array Float32Array Float64Array BigInt64Array BigUint64Array DataView parseInt",
    "parseFloat isNaN isFinite decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape",
    "globalThis undefined NaN Infinity",
  ].join(" ").split(" ");
  for (const name of ownKeys(globalThis)) {
    if (!kept.includes(name)) delete globalThis[name];
  }

  // A stack shows the program's own frames only: neither names nor places of this file.
  Error.prepareStackTrace = (error, frames) => {
    let text = "";
    for (let index = 0; index < frames.length; index++) {
      const file = frames[index].getFileName();
      if (file === "cazi:prelude" || file === null || frames[index].isNative()) continue;
      text += `    at ${frames[index].getFunctionName() ?? "<anonymous>"} (${file}:${frames[index].getLineNumber()})\n`;
    }
    return text;
  };

  // Both are accessors into the engine, which a freeze leaves open: the setter must not be reachable.
  defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
  defineProperty(Error, "stackTraceLimit", { value: Error.stackTraceLimit, writable: false, configurable: false });

  const hidden = (name, length, body) => {
    defineProperty(body, "name", { value: name });
    defineProperty(body, "length", { value: length });
    return body;
  };

  const generators = [function* () {}, async () => {}, async function* () {}];
  const refusedFunction = hidden("Function", 1, function () {
    throw new TypeError("code generation from text is not available in a compartment");
  });
  defineProperty(refusedFunction, "prototype", { value: RealFunction.prototype });
  defineProperty(RealFunction.prototype, "constructor", { value: refusedFunction });
  for (const each of generators) {
    defineProperty(getPrototypeOf(each), "constructor", { value: refusedFunction });
  }
  globalThis.Function = refusedFunction;

  let startMs = 0;
  let randomState = 1;
  const fixedDate = hidden("Date", 7, function (...parts) {
    if (new.target === undefined) return new RealDate(startMs).toString();
    return construct(RealDate, parts.length === 0 ? [startMs] : parts, new.target);
  });
  defineProperty(fixedDate, "prototype", { value: RealDate.prototype });
  for (const name of ["parse", "UTC"]) defineProperty(fixedDate, name, { value: RealDate[name] });
  defineProperty(fixedDate, "now", { value: hidden("now", 0, () => startMs) });
  defineProperty(RealDate.prototype, "constructor", { value: fixedDate });
  globalThis.Date = fixedDate;
  Math.random = hidden("random", 0, () => {
    randomState = (randomState + 0x6d2b79f5) | 0;
    let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  });

  /** What the host answered: a value, nothing, a promise that it settles later, or a classified failure. */
  const waiting = new Map();
  const errors = { Error, TypeError, RangeError };
  function answered(text) {
    const answer = parse(text);
    switch (answer[0]) {
      case "v":
        return answer[1];
      case "p":
        return new Promise((resolve, reject) => {
          waiting.set(answer[1], { resolve, reject });
        });
      case "e":
        throw failure(answer[1], answer[2], answer[3]);
      default:
        return undefined;
    }
  }
  function failure(name, message, code) {
    const error = new errors[name](message);
    if (code !== undefined) defineProperty(error, "code", { value: code, enumerable: true });
    return error;
  }

  /** The JSON text of an object, or a TypeError. What a toJSON of the program returns is what counts. */
  function objectText(value, what) {
    if (value === null || typeof value !== "object" || isArray(value)) {
      throw new TypeError(`${what} must be a JSON object`);
    }
    let text;
    try {
      text = stringify(value);
    } catch {
      throw new TypeError(`${what} cannot be written as JSON`);
    }
    if (text === undefined || text[0] !== "{") throw new TypeError(`${what} must be a JSON object`);
    return text;
  }
  function named(value, what) {
    if (typeof value !== "string") throw new TypeError(`${what} must be a string`);
    return stringify(value);
  }
  function toolArguments(op, rest) {
    const tool = named(rest[0], "the name of a tool");
    let text;
    try {
      text = rest.length < 2 ? "{}" : objectText(rest[1], "the arguments of a tool");
    } catch (error) {
      host("invalid", tool, stringify(error.message));
      throw error;
    }
    return answered(host(op, tool, text));
  }

  const surfaces = {
    emit: hidden("emit", 1, (event) => answered(host("emit", objectText(event, "an event"), ""))),
    callTool: hidden("callTool", 2, (...rest) => toolArguments("call", rest)),
    importValue: hidden("importValue", 2, async (specifier, binding) => {
      const module = await import(specifier);
      if (!ownKeys(module).includes(binding)) throw new TypeError(`the module has no export of that name`);
      return module[binding];
    }),
    close: hidden("close", 0, () => answered(host("close", "", ""))),
    auditNote: hidden("auditNote", 1, (note) => answered(host("note", objectText(note, "a note"), ""))),
    auditControls: hidden("auditControls", 0, () => answered(host("controls", "", ""))),
    state: {
      get: hidden("get", 1, (key) => answered(host("state_get", named(key, "a key of the state"), ""))),
      set: hidden("set", 2, (key, value) => {
        const name = named(key, "a key of the state");
        let text;
        try {
          text = stringify(value);
        } catch {
          text = undefined;
        }
        if (text === undefined) throw new TypeError("a value of the state must be JSON");
        return answered(host("state_set", name, text));
      }),
      delete: hidden("delete", 1, (key) => answered(host("state_delete", named(key, "a key of the state"), ""))),
      list: hidden("list", 0, () => answered(host("state_list", "", ""))),
      reset: hidden("reset", 0, () => answered(host("state_reset", "", ""))),
    },
  };
  const scheduler = {
    sleep: hidden("sleep", 1, (ms) => {
      if (!Number.isSafeInteger(ms)) throw new TypeError("scheduler.sleep takes whole milliseconds");
      return answered(host("sleep", stringify(ms), ""));
    }),
    callTool: hidden("callTool", 2, (...rest) => toolArguments("durable_call", rest)),
    waitForInput: hidden("waitForInput", 1, (...rest) =>
      answered(host("input", rest.length === 0 ? "{}" : objectText(rest[0], "the request for input"), "")),
    ),
  };
  for (const name of ownKeys(surfaces)) {
    defineProperty(globalThis, name, { value: surfaces[name], enumerable: true });
  }

  // A frozen prototype would make `error.name = …` or `object.toString = …` throw in ordinary code: each data
  // property becomes an accessor whose setter defines on the object that is assigned to.
  const errorPrototypes = kept.filter((name) => name.endsWith("Error")).map((name) => globalThis[name]?.prototype);
  const softened = [Object.prototype, RealFunction.prototype, Array.prototype, Promise.prototype].concat(
    errorPrototypes.filter((each) => each !== undefined),
  );
  for (const prototype of softened) {
    for (const key of ownKeys(prototype)) {
      const property = getOwnPropertyDescriptor(prototype, key);
      if (typeof key !== "string" || !("value" in property) || !property.configurable) continue;
      if (key === "length") continue;
      const { value } = property;
      defineProperty(prototype, key, {
        get: () => value,
        set(own) {
          if (this === prototype) throw new TypeError("the built-in prototypes cannot be changed");
          if (this === null || typeof this !== "object" && typeof this !== "function") return;
          defineProperty(this, key, { value: own, writable: true, enumerable: true, configurable: true });
        },
        enumerable: false,
        configurable: false,
      });
    }
  }

  const reached = new Set([scheduler, surfaces.state]);
  const reach = (value) => {
    if (value !== null && (typeof value === "object" || typeof value === "function")) reached.add(value);
  };
  for (const each of generators) reach(each);
  reach(getPrototypeOf([][Symbol.iterator]()));
  reach(getPrototypeOf(new Map().entries()));
  reach(getPrototypeOf(new Set().values()));
  reach(getPrototypeOf(""[Symbol.iterator]()));
  reach(getPrototypeOf("".matchAll(/a/g)));
  if (globalThis.Iterator?.from) reach(getPrototypeOf(Iterator.from({ next() {} })));
  if (globalThis.Iterator) reach(getPrototypeOf([].values().map((x) => x)));
  for (const name of ownKeys(globalThis)) {
    const property = getOwnPropertyDescriptor(globalThis, name);
    reach(property.value);
    if (property.configurable) {
      defineProperty(globalThis, name, { value: property.value, writable: false, configurable: false });
    }
  }
  for (const value of reached) {
    if (value === globalThis) continue;
    for (const key of ownKeys(value)) {
      const property = getOwnPropertyDescriptor(value, key);
      reach(property.value);
      reach(property.get);
      reach(property.set);
    }
    reach(getPrototypeOf(value));
  }
  for (const value of reached) if (value !== globalThis) freeze(value);

  let ownGlobals = ownKeys(globalThis);
  const ownObjectKeys = ownKeys(Object.prototype).length;
  const short = (value, length) => apply(sliceText, toText(value), [0, length]);

  return {
    /** What this turn is given: its context, its time, its seed. */
    begin(text) {
      const given = parse(text);
      startMs = given.start_ms;
      randomState = given.seed;
      defineProperty(globalThis, "context", { value: given.context, enumerable: true });
      if (given.scheduled) defineProperty(globalThis, "scheduler", { value: scheduler, enumerable: true });
      ownGlobals = ownKeys(globalThis);
    },
    /** Settles the promise that a completion belongs to. */
    deliver(text) {
      const [id, outcome, a, b, c] = parse(text);
      const waiter = waiting.get(id);
      if (waiter === undefined) return;
      waiting.delete(id);
      if (outcome === "v") waiter.resolve(a);
      else waiter.reject(failure(a, b, c));
    },
    /** The text of what was thrown. Runs code of the program: the surfaces are closed by then. */
    describe(thrown) {
      try {
        if (thrown === null || (typeof thrown !== "object" && typeof thrown !== "function")) {
          return stringify({ name: "thrown", message: short(thrown, 4096) });
        }
        const stack = thrown.stack;
        const name = thrown.name;
        const message = thrown.message;
        return stringify({
          name: name === undefined ? "thrown" : short(name, 256),
          message: message === undefined ? "" : short(message, 4096),
          ...(typeof stack === "string" ? { stack: short(stack, 4096) } : {}),
        });
      } catch {
        return '{"name":"thrown","message":"a value that cannot be shown"}';
      }
    },
    authority() {
      const now = ownKeys(globalThis);
      return stringify({
        object_prototype_polluted: ownKeys(Object.prototype).length !== ownObjectKeys,
        global_polluted: now.length !== ownGlobals.length || now.some((name, index) => name !== ownGlobals[index]),
      });
    },
  };
})
