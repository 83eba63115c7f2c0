/** Characters of a result's JSON: above this, clients cut it or warn. */
export const resultCharsMax = 20_000;
/** Left for the members around a list or a text. */
export const resultFrameChars = 1_500;
/** Longest wait of one call: clients give up on a call after 60 s. */
export const waitSecondsMax = 50;
export const instructionsCharsMax = 2_048;
