import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LOCALES, type Locale } from '../../packages/core/src/locale.ts';
import { parseSync } from 'vite';
import { filesUnder } from '../source/tree.mjs';

/** Sentences that the same table has in each language, by their place in it. */
export interface WordTable {
  /** Where it stands: file and line. */
  readonly place: string;
  readonly languages: Partial<Readonly<Record<Locale, Sentences>>>;
}
export type Sentences = ReadonlyMap<string, string>;

/** A node of a parsed file; only what is asked of it here. */
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

/** Every object of the shipped sources that is keyed by languages and holds sentences. */
export function wordTables(root: string): WordTable[] {
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
    eachNode(source.body, (node) => {
      if (node.type === 'SpreadElement') spread.add(node['argument'] as Node);
      if (node.type !== 'ObjectExpression' || spread.has(node)) return;
      const values = new Map(propertiesOf(node).map(({ key, value }) => [key, value]));
      const spoken = LOCALES.filter((locale) => values.has(locale));
      if (spoken.length === 0) return;
      const languages = Object.fromEntries(
        spoken.map((locale) => [locale, this.sentencesOf(values.get(locale)!, source)]),
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
    const found = new Map<string, string>();
    this.collect(value, source, '', found);
    return found;
  }

  private collect(node: Node, source: Source, at: string, found: Map<string, string>): void {
    const inner = (child: unknown, name: string | number) =>
      this.collect(child as Node, source, at === '' ? String(name) : `${at}.${name}`, found);
    if (WRAPPERS.has(node.type)) return this.collect(node['expression'] as Node, source, at, found);
    if (node.type === 'Literal' && typeof node['value'] === 'string') found.set(at, node['value']);
    if (node.type === 'TemplateLiteral') found.set(at, templateText(node, source));
    if (node.type === 'ArrayExpression')
      (node['elements'] as Node[]).forEach((element, index) => inner(element, index));
    if (node.type === 'ObjectExpression')
      for (const { key, value } of propertiesOf(node)) {
        if (key === '...') this.collect(value, source, at, found);
        else inner(value, key);
      }
    if (node.type === 'ArrowFunctionExpression') this.collect(node['body'] as Node, source, at, found);
    if (node.type === 'BinaryExpression') this.collectSum(node, source, at, found);
    if (node.type === 'CallExpression') this.collectCall(node, source, at, found);
    if (node.type === 'ImportExpression')
      this.collectFile(resolve(dirname(source.path), textOf(node['source'] as Node)), at, found);
    if (node.type === 'Identifier') this.collectName(String(node['name']), source, at, found);
  }

  /** What a list joins; what a function makes of its arguments is nobody's sentence yet. */
  private collectCall(node: Node, source: Source, at: string, found: Map<string, string>): void {
    const callee = node['callee'] as Node;
    if (callee.type === 'MemberExpression') this.collect(callee['object'] as Node, source, at, found);
  }

  /** Texts that are added to each other are one. */
  private collectSum(node: Node, source: Source, at: string, found: Map<string, string>): void {
    const sides = [node['left'], node['right']].map((side) => {
      const own = new Map<string, string>();
      this.collect(side as Node, source, at, own);
      return own.get(at) ?? '';
    });
    found.set(at, sides.join(''));
  }

  /** All that a file exports. */
  private collectFile(file: string, at: string, found: Map<string, string>): void {
    if (!TYPED.test(file)) return;
    const source = this.sourceOf(file);
    for (const statement of source.body)
      if (statement.type === 'ExportNamedDeclaration' && statement['declaration'] !== null)
        for (const [name, value] of declared(statement['declaration'] as Node))
          this.collect(value, source, at === '' ? name : `${at}.${name}`, found);
  }

  /** A constant of the file, or one that it imports from a file of ours. */
  private collectName(name: string, source: Source, at: string, found: Map<string, string>): void {
    for (const statement of source.body) {
      const declaration = (statement['declaration'] ?? statement) as Node;
      const own = declared(declaration).get(name);
      if (own !== undefined) return this.collect(own, source, at, found);
      if (statement.type !== 'ImportDeclaration') continue;
      const specifier = (statement['specifiers'] as Node[]).find(
        ({ local }) => (local as Node)['name'] === name,
      );
      if (specifier === undefined) continue;
      const file = this.fileOf(textOf(statement['source'] as Node), source.path);
      if (file === undefined) return;
      const imported = (specifier['imported'] as Node | undefined)?.['name'];
      return file.endsWith('.json')
        ? Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>).forEach(
            ([key, text]) => found.set(`${at}.${key}`, text),
          )
        : this.collectName(String(imported), this.sourceOf(file), at, found);
    }
  }

  private fileOf(from: string, importer: string): string | undefined {
    const [, part, path] = /^@exchange\/([\w-]+)\/(.+)$/.exec(from) ?? [];
    const file =
      part === undefined
        ? resolve(dirname(importer), from)
        : join(this.root, 'packages', part, 'src', String(path));
    const isOurs = !relative(this.root, file).startsWith('..') && existsSync(file);
    return isOurs && (from.startsWith('.') || part !== undefined) ? file : undefined;
  }
}

/** Entries by key, with those of objects that are spread into it; what else is spread has the key `...`. */
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

function declared(node: Node): ReadonlyMap<string, Node> {
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

/** Its text with what is filled in as a gap. */
function templateText(node: Node, { text }: Source): string {
  const gaps = node['expressions'] as (Node & { readonly end: number })[];
  return (node['quasis'] as { value: { cooked: string } }[])
    .map(({ value }, index) => {
      const gap = gaps[index];
      return gap === undefined
        ? value.cooked
        : `${value.cooked}{{${text.slice(gap.start, gap.end).replaceAll(/\W/g, '')}}}`;
    })
    .join('');
}

/** Visits a node and everything below it. */
export function eachNode(part: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(part)) for (const one of part) eachNode(one, visit);
  else if (typeof part === 'object' && part !== null) {
    if ('type' in part && typeof part.type === 'string') visit(part as Node);
    for (const value of Object.values(part)) eachNode(value, visit);
  }
}
