/**
 * Names of variables that usually hold a secret. Case does not matter. `KEY` and `AUTH` only as a word of
 * their own or after a telling one (MONKEY, AUTHOR are no secrets); `TOKEN` not as the start of a longer word
 * (MAX_TOKENS, TOKENIZER are settings of language models).
 */
const SECRET_NAME =
  /secret|passw(?:or)?d|passphrase|credential|private_?key|token(?![a-z])|(?:api|access|auth|encryption|signing|ssh)_?key|(?:^|_)(?:key|auth|pat|pass)(?:_|$)/i;

/** True when a variable of this name usually holds a secret. */
export function looksLikeSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
