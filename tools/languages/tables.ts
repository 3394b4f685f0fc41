import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LOCALES, type Locale } from '../../packages/core/src/locale.ts';
import { parseSync } from 'vite';
import { filesUnder } from '../source/tree.mjs';

/** A table of texts in the sources. It contains, for each language, the texts by their path of keys. */
export interface WordTable {
  /** File and line of the table. */
  readonly place: string;
  readonly languages: Partial<Readonly<Record<Locale, Sentences>>>;
}
export type Sentences = ReadonlyMap<string, string>;

/** A node of a syntax tree; contains only the fields that are used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [part: string]: unknown;
}
interface Source {
  readonly path: string;
  readonly text: string;
  readonly body: readonly Node[];
}

const TYPED = /\.tsx?$/;
const NOT_SHIPPED = /\.test\.tsx?$|\/testing\/|^e2e\/|^bench\/|^tools\//;
const WRAPPERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'ParenthesizedExpression',
]);

/**
 * Returns a table for each object literal in the shipped sources whose keys are languages and whose values are texts.
 */
export function readWordTables(root: string): WordTable[] {
  const reader = new Reader(root);
  return filesUnder(root, ['apps', 'packages'])
    .filter((path) => TYPED.test(path) && !NOT_SHIPPED.test(path))
    .filter((path) => /'(?:ko-KR|ja-JP|zh-CN)'/.test(readFileSync(join(root, path), 'utf8')))
    .flatMap((path) => reader.tablesOf(path));
}

class Reader {
  private readonly sources = new Map<string, Source>();
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  tablesOf(path: string): WordTable[] {
    const source = this.sourceOf(join(this.root, path));
    const tables: WordTable[] = [];
    const spread = new Set<Node>();
    visitNodes(source.body, (node) => {
      if (node.type === 'SpreadElement') spread.add(node['argument'] as Node);
      if (node.type !== 'ObjectExpression' || spread.has(node)) return;
      const values = new Map(propertiesOf(node).map(({ key, value }) => [key, value]));
      const tableLocales = LOCALES.filter((locale) => values.has(locale));
      if (tableLocales.length === 0) return;
      const languages = Object.fromEntries(
        tableLocales.map((locale) => [locale, this.sentencesOf(values.get(locale)!, source)]),
      );
      const line = source.text.slice(0, node.start).split('\n').length;
      tables.push({ place: `${path}:${line}`, languages });
    });
    return tables;
  }

  private sourceOf(file: string): Source {
    const known = this.sources.get(file);
    if (known !== undefined) return known;
    const text = readFileSync(file, 'utf8');
    const { program } = parseSync(file, text) as unknown as { program: { body: readonly Node[] } };
    const source = { path: file, text, body: program.body };
    this.sources.set(file, source);
    return source;
  }

  private sentencesOf(value: Node, source: Source): Sentences {
    const sentences = new Map<string, string>();
    this.collect(value, source, '', sentences);
    return sentences;
  }

  private collect(node: Node, source: Source, keyPath: string, sentences: Map<string, string>): void {
    const inner = (child: unknown, name: string | number) =>
      this.collect(child as Node, source, keyPath === '' ? String(name) : `${keyPath}.${name}`, sentences);
    if (WRAPPERS.has(node.type)) return this.collect(node['expression'] as Node, source, keyPath, sentences);
    if (node.type === 'Literal' && typeof node['value'] === 'string') sentences.set(keyPath, node['value']);
    if (node.type === 'TemplateLiteral') sentences.set(keyPath, templateText(node, source));
    if (node.type === 'ArrayExpression')
      (node['elements'] as Node[]).forEach((element, index) => inner(element, index));
    if (node.type === 'ObjectExpression')
      for (const { key, value } of propertiesOf(node)) {
        if (key === '...') this.collect(value, source, keyPath, sentences);
        else inner(value, key);
      }
    if (node.type === 'ArrowFunctionExpression')
      this.collect(node['body'] as Node, source, keyPath, sentences);
    if (node.type === 'BinaryExpression') this.collectSum(node, source, keyPath, sentences);
    if (node.type === 'CallExpression') this.collectCall(node, source, keyPath, sentences);
    if (node.type === 'ImportExpression')
      this.collectFile(resolve(dirname(source.path), textOf(node['source'] as Node)), keyPath, sentences);
    if (node.type === 'Identifier') this.collectName(String(node['name']), source, keyPath, sentences);
  }

  /**
   * Collects the object of a method call, such as the array in `[…].join(' ')`, and the JSON files that a call of
   * `import.meta.glob` finds in its folder. The results of other calls are not collected.
   */
  private collectCall(node: Node, source: Source, keyPath: string, sentences: Map<string, string>): void {
    const callee = node['callee'] as Node;
    if (callee.type === 'MemberExpression')
      this.collect(callee['object'] as Node, source, keyPath, sentences);
    if ((node['arguments'] as Node[]).some(isGlobOfJson))
      for (const file of readdirSync(dirname(source.path)).filter((name) => name.endsWith('.json')))
        this.collectJson(
          join(dirname(source.path), file),
          `${keyPath}.${file.slice(0, -'.json'.length)}`,
          sentences,
        );
  }

  private collectJson(file: string, keyPath: string, sentences: Map<string, string>): void {
    const words = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
    for (const [key, text] of Object.entries(words)) sentences.set(`${keyPath}.${key}`, text);
  }

  /** Collects a concatenation of strings (`'…' + '…'`) as one text of a table. */
  private collectSum(node: Node, source: Source, keyPath: string, sentences: Map<string, string>): void {
    const sides = [node['left'], node['right']].map((side) => {
      const operands = new Map<string, string>();
      this.collect(side as Node, source, keyPath, operands);
      return operands.get(keyPath) ?? '';
    });
    sentences.set(keyPath, sides.join(''));
  }

  /** Adds the texts of all constants that a source file exports to `sentences`, by their path of keys. */
  private collectFile(file: string, keyPath: string, sentences: Map<string, string>): void {
    if (!TYPED.test(file)) return;
    const source = this.sourceOf(file);
    for (const statement of source.body)
      if (statement.type === 'ExportNamedDeclaration' && statement['declaration'] !== null)
        for (const [name, value] of declaredConstants(statement['declaration'] as Node))
          this.collect(value, source, keyPath === '' ? name : `${keyPath}.${name}`, sentences);
  }

  /**
   * Adds the texts of the constant `name` to `sentences`. The source file declares the constant or imports it
   * from another file of the project.
   */
  private collectName(name: string, source: Source, keyPath: string, sentences: Map<string, string>): void {
    for (const statement of source.body) {
      const declaration = (statement['declaration'] ?? statement) as Node;
      const value = declaredConstants(declaration).get(name);
      if (value !== undefined) return this.collect(value, source, keyPath, sentences);
      if (statement.type !== 'ImportDeclaration') continue;
      const specifier = (statement['specifiers'] as Node[]).find(
        ({ local }) => (local as Node)['name'] === name,
      );
      if (specifier === undefined) continue;
      const file = this.fileOf(textOf(statement['source'] as Node), source.path);
      if (file === undefined) return;
      const imported = (specifier['imported'] as Node | undefined)?.['name'];
      return file.endsWith('.json')
        ? this.collectJson(file, keyPath, sentences)
        : this.collectName(String(imported), this.sourceOf(file), keyPath, sentences);
    }
  }

  private fileOf(specifier: string, importer: string): string | undefined {
    const [, part, path] = /^@exchange\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
    const file =
      part === undefined
        ? resolve(dirname(importer), specifier)
        : join(this.root, 'packages', part, 'src', String(path));
    const isOurs = !relative(this.root, file).startsWith('..') && existsSync(file);
    return isOurs && (specifier.startsWith('.') || part !== undefined) ? file : undefined;
  }
}

/**
 * Returns the properties of an object literal, including those of literals that are spread into it. Other spreads
 * have the key `...`.
 */
function propertiesOf(node: Node): { key: string; value: Node }[] {
  return (node['properties'] as Node[]).flatMap((property) => {
    if (property.type !== 'SpreadElement') {
      const key = property['key'] as Node;
      return [{ key: String(key['name'] ?? key['value']), value: property['value'] as Node }];
    }
    const spread = property['argument'] as Node;
    return spread.type === 'ObjectExpression' ? propertiesOf(spread) : [{ key: '...', value: spread }];
  });
}

/** Returns whether an expression is `import.meta.glob('./*.json', …)`. */
function isGlobOfJson(node: Node): boolean {
  const callee = node['callee'] as Node | undefined;
  const pattern = (node['arguments'] as readonly Node[] | undefined)?.[0];
  return (
    callee?.type === 'MemberExpression' &&
    (callee['object'] as Node).type === 'MetaProperty' &&
    pattern?.['value'] === './*.json'
  );
}

function declaredConstants(node: Node): ReadonlyMap<string, Node> {
  if (node.type !== 'VariableDeclaration') return new Map();
  return new Map(
    (node['declarations'] as Node[])
      .filter(({ init }) => init !== null)
      .map(({ id, init }) => [String((id as Node)['name']), init as Node]),
  );
}

function textOf(node: Node): string {
  return String(node['value']);
}

/** Returns the text of a template literal with a placeholder `{{name}}` for each expression. */
function templateText(node: Node, { text }: Source): string {
  const gaps = node['expressions'] as (Node & { readonly end: number })[];
  return (node['quasis'] as { value: { cooked: string } }[])
    .map(({ value }, index) => {
      const expression = gaps[index];
      return expression === undefined
        ? value.cooked
        : `${value.cooked}{{${text.slice(expression.start, expression.end).replaceAll(/\W/g, '')}}}`;
    })
    .join('');
}

/** Calls `visit` for a node and for all its descendants. */
export function visitNodes(part: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(part)) for (const child of part) visitNodes(child, visit);
  else if (typeof part === 'object' && part !== null) {
    if ('type' in part && typeof part.type === 'string') visit(part as Node);
    for (const value of Object.values(part)) visitNodes(value, visit);
  }
}
