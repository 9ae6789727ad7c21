import { Lexer, Tokenizer } from "marked";
import type { Token, Tokens } from "marked";

/** Markdown in which no block depends on what another one says: what has been shown stays right. */
class BlockwiseTokenizer extends Tokenizer {
  /** Link definitions stay readable as the text that they are. */
  override def(): undefined {
    return undefined;
  }

  /** Tags that are left open, as `<a>`, change nothing behind them. */
  override tag(source: string): Tokens.Tag | undefined {
    const { inLink, inRawBlock } = this.lexer.state;
    const token = super.tag(source);
    Object.assign(this.lexer.state, { inLink, inRawBlock });
    return token;
  }
}

/**
 * Takes Markdown apart (GitHub's flavour).
 *
 * @param text - A text that is safe to print, with line feeds only.
 */
export function lexMarkdown(text: string): Token[] {
  try {
    return new Lexer({ gfm: true, tokenizer: new BlockwiseTokenizer() }).lex(text);
  } catch {
    // Quotes in quotes without end are too much for any parser that calls itself.
    return [{ type: "code", raw: text, text }];
  }
}
