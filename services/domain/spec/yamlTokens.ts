import { type CST, Lexer, Parser } from "yaml";
import { type Refusal, refuse } from "../refusal.ts";
import { yamlLexemesMax, yamlStackMax } from "./limits.ts";

/**
 * The syntax tree of a YAML text, bounded while it grows. What follows (the parser's closing of open nodes, the
 * composer) is recursive, and where a stack runs out inside a regular expression the engine does not throw: it
 * aborts the whole process ("RegExpCompiler Allocation failed"; some 5,000 times `[` did it). Here the lexer is
 * a loop, and the parser's own stack is looked at after every lexeme.
 * @returns one token a document, or a refusal `SPEC_TOO_LARGE` or `SPEC_TOO_DEEP`
 */
export function yamlTokens(text: string): readonly CST.Token[] | Refusal {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes > yamlLexemesMax) {
      return refuse("SPEC_TOO_LARGE", `A spec may have at most ${yamlLexemesMax} YAML tokens.`);
    }
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > yamlStackMax)
      return refuse("SPEC_TOO_DEEP", "The spec nests too deep.", {
        details: [{ pointer: "", message: "nests too deep" }],
      });
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}
