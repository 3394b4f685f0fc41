/**
 * Splits TypeScript or JavaScript into the tokens for the checks of the repository, without comments. A lexer without a
 * parser is sufficient, because the checks only need to know whether a word is part of the code.
 *
 * @typedef {{ kind: 'word' | 'number' | 'mark' | 'text', value: string, line: number }} Token
 *   `text` is a string or the literal part of a template, without quotes. A regular expression is a `mark`.
 */

const WORD_START = /[A-Za-z_$\u0080-\uffff]/;
const WORD_PART = /[\w$\u0080-\uffff]/;
const SPACE = /\s/;
const DIGIT = /[0-9]/;
const NUMBER_PART = /[\w.]/;
const BEFORE_REGULAR_EXPRESSION = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof'.split(' '),
);

/** @param {string} source @returns {Token[]} */
export function tokensOf(source) {
  const lexer = new Lexer(source);
  lexer.run();
  return lexer.tokens;
}

/**
 * Returns whether a token is the mark `value`, such as a bracket or a comma, outside strings.
 * @param {Token | undefined} token @param {string} value
 */
export function isMark(token, value) {
  return token?.kind === 'mark' && token.value === value;
}

/**
 * Returns whether a token is the word `value`, outside strings. @param {Token | undefined} token @param
 * {string} value
 */
export function isWord(token, value) {
  return token?.kind === 'word' && token.value === value;
}

class Lexer {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
    this.at = 0;
    this.line = 1;
    /** @type {Token[]} */
    this.tokens = [];
    /** Number of open braces inside each open template substitution, innermost last. @type {number[]} */
    this.substitutions = [];
  }

  run() {
    if (this.source.startsWith('#!')) this.skipLine();
    while (this.at < this.source.length) this.step();
  }

  step() {
    const char = this.source[this.at];
    const next = this.source[this.at + 1];
    if (char === '\n') this.newLine();
    else if (SPACE.test(char)) this.at += 1;
    else if (char === '/' && next === '/') this.skipLine();
    else if (char === '/' && next === '*') this.skipBlockComment();
    else if (char === "'" || char === '"') this.quoted(char);
    else if (char === '`') this.template();
    else if (WORD_START.test(char)) this.runOf(WORD_PART, 'word');
    else if (DIGIT.test(char)) this.runOf(NUMBER_PART, 'number');
    else if (char === '/' && this.regularExpressionMayStart()) this.regularExpression();
    else this.mark(char);
  }

  newLine() {
    this.line += 1;
    this.at += 1;
  }

  skipLine() {
    const end = this.source.indexOf('\n', this.at);
    this.at = end < 0 ? this.source.length : end;
  }

  skipBlockComment() {
    const close = this.source.indexOf('*/', this.at + 2);
    const end = close < 0 ? this.source.length : close + 2;
    this.countLines(this.at, end);
    this.at = end;
  }

  /** Reads a string that begins here, or only its quote as a mark. @param {string} quote */
  quoted(quote) {
    let end = this.at + 1;
    while (end < this.source.length && this.source[end] !== quote && this.source[end] !== '\n') {
      end += this.source[end] === '\\' ? 2 : 1;
    }
    // A quote without a closing quote on the same line is an apostrophe in JSX text and does not begin a string.
    if (this.source[end] !== quote) {
      this.mark(quote);
      return;
    }
    this.push('text', this.source.slice(this.at + 1, end));
    this.countLines(this.at, end);
    this.at = end + 1;
  }

  /**
   * Reads from a backtick, or from the brace that ends a substitution, to the next substitution or to the end of the
   * template.
   */
  template() {
    let end = this.at + 1;
    while (end < this.source.length && this.source[end] !== '`' && !this.source.startsWith('${', end)) {
      end += this.source[end] === '\\' ? 2 : 1;
    }
    this.push('text', this.source.slice(this.at + 1, end));
    this.countLines(this.at, end);
    if (this.source.startsWith('${', end)) {
      this.substitutions.push(0);
      this.at = end + 2;
    } else {
      this.at = end + 1;
    }
  }

  /**
   * Reads a token that continues while its characters match `part`.
   * @param {RegExp} part @param {'word' | 'number'} kind
   */
  runOf(part, kind) {
    let end = this.at + 1;
    while (end < this.source.length && part.test(this.source[end])) end += 1;
    this.push(kind, this.source.slice(this.at, end));
    this.at = end;
  }

  regularExpressionMayStart() {
    const last = this.tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === 'word') return BEFORE_REGULAR_EXPRESSION.has(last.value);
    // `</` begins the closing tag of a JSX element, not a regular expression.
    return last.kind === 'mark' && !')]}<'.includes(last.value);
  }

  regularExpression() {
    let end = this.at + 1;
    let inClass = false;
    while (end < this.source.length && this.source[end] !== '\n') {
      const char = this.source[end];
      if (char === '/' && !inClass) break;
      if (char === '[') inClass = true;
      if (char === ']') inClass = false;
      end += char === '\\' ? 2 : 1;
    }
    this.push('mark', 'regular expression');
    this.at = end + 1;
  }

  /** @param {string} char */
  mark(char) {
    const depth = this.substitutions.length - 1;
    if (depth >= 0 && char === '{') this.substitutions[depth] += 1;
    if (depth >= 0 && char === '}') {
      if (this.substitutions[depth] === 0) {
        this.substitutions.pop();
        this.template();
        return;
      }
      this.substitutions[depth] -= 1;
    }
    this.push('mark', char);
    this.at += 1;
  }

  /** @param {Token['kind']} kind @param {string} value */
  push(kind, value) {
    this.tokens.push({ kind, value, line: this.line });
  }

  /** Adds the line breaks between two indexes to the line number. @param {number} from @param {number} to */
  countLines(from, to) {
    for (let at = from; at < to; at += 1) if (this.source[at] === '\n') this.line += 1;
  }
}
