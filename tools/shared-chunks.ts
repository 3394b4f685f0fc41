/** What the bundler knows of a module. */
export interface BundledModule {
  readonly isEntry: boolean;
  readonly code: string | null;
  readonly importers: readonly string[];
  readonly dynamicImporters: readonly string[];
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

export interface ModuleGraph {
  readonly getModuleInfo: (id: string) => BundledModule | null;
}

/** What a request is worth, in characters of source that are loaded without need. */
const REQUEST_COST = 3_500;
/** How many times more than other parts the first screen counts: it is loaded by everybody, and has a budget. */
const FIRST_SCREEN_WEIGHT = 150;
/** Words are one file a language already. */
const WORDS = /\/i18n\/[\w-]+\//;
/** Libraries of which a module needs a part that the graph does not show; it counts with this many characters. */
const LIBRARY_SIZE = 300_000;
const LARGE_LIBRARY = /\/node_modules\/(?:@mantine|klinecharts)\//;

/** Modules that become one file, and the parts (screens, dialogs) that load it. */
interface Chunk {
  readonly modules: string[];
  size: number;
  /** By their places in the list of all parts. */
  readonly parts: ReadonlySet<number>;
  /** Is never merged. */
  readonly isFixed: boolean;
}

/**
 * Names the chunk of a module that several lazy parts share; null for any other. Left alone, the bundler makes a file of each
 * set of parts that share the same modules: dozens of files of some hundred bytes. Here two such files become one as long as
 * the requests that this saves are worth more than what a part then loads without need. `firstScreen` matches the parts of the
 * first screen.
 */
export function sharedChunks(firstScreen: RegExp): (id: string, graph: ModuleGraph) => string | null {
  let names: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    names ??= planChunks(graph, entryAbove(graph, id), firstScreen);
    return names.get(id) ?? null;
  };
}

/** The name of each shared module's chunk. */
export function planChunks(
  graph: ModuleGraph,
  entry: string,
  firstScreen: RegExp,
): ReadonlyMap<string, string> {
  const initial = staticClosure(graph, entry, new Set());
  const parts = lazyParts(graph, initial);
  const chunks = chunksBySharers(graph, parts, initial);
  const weights = parts.map((part) => (firstScreen.test(part) ? FIRST_SCREEN_WEIGHT : 1));
  mergeChunks(graph, chunks, weights);
  const names = new Map<string, string>();
  for (const [place, { modules }] of chunks.filter(({ isFixed }) => !isFixed).entries()) {
    for (const module of modules) names.set(module, `shared-${place}`);
  }
  return names;
}

function entryAbove(graph: ModuleGraph, id: string): string {
  const seen = new Set([id]);
  for (const current of seen) {
    const module = graph.getModuleInfo(current);
    if (module?.isEntry === true) return current;
    for (const above of [...(module?.importers ?? []), ...(module?.dynamicImporters ?? [])]) seen.add(above);
  }
  throw new Error(`no entry leads to ${id}`);
}

/** A module and all that it imports, without what is in `without`. */
function staticClosure(graph: ModuleGraph, id: string, without: ReadonlySet<string>): ReadonlySet<string> {
  const closure = new Set([id]);
  for (const current of closure) {
    for (const imported of graph.getModuleInfo(current)?.importedIds ?? []) {
      if (!without.has(imported)) closure.add(imported);
    }
  }
  return closure;
}

/** Everything that is imported lazily, wherever. */
function lazyParts(graph: ModuleGraph, initial: ReadonlySet<string>): readonly string[] {
  const seen = new Set(initial);
  const parts = new Set<string>();
  for (const id of seen) {
    const module = graph.getModuleInfo(id);
    for (const part of module?.dynamicallyImportedIds ?? []) {
      seen.add(part);
      if (!initial.has(part)) parts.add(part);
    }
    for (const imported of module?.importedIds ?? []) seen.add(imported);
  }
  return [...parts];
}

/** One chunk for each set of parts that share modules. What is a part itself, holds words or
 * needs a large library stays a chunk of its own. */
function chunksBySharers(
  graph: ModuleGraph,
  parts: readonly string[],
  initial: ReadonlySet<string>,
): Chunk[] {
  const sharers = new Map<string, number[]>();
  for (const [place, part] of parts.entries()) {
    for (const id of staticClosure(graph, part, initial)) {
      const places = sharers.get(id);
      if (places === undefined) sharers.set(id, [place]);
      else places.push(place);
    }
  }
  const partIds = new Set(parts);
  const chunks = new Map<string, Chunk>();
  for (const [id, places] of sharers) {
    if (places.length < 2) continue;
    const module = graph.getModuleInfo(id);
    const needsLibrary = module?.importedIds.some((imported) => LARGE_LIBRARY.test(imported)) === true;
    const isFixed = partIds.has(id) || WORDS.test(id) || needsLibrary;
    const key = isFixed ? id : places.join();
    const size = (module?.code?.length ?? 0) + (needsLibrary ? LIBRARY_SIZE : 0);
    const chunk = chunks.get(key);
    if (chunk === undefined) chunks.set(key, { modules: [id], size, parts: new Set(places), isFixed });
    else {
      chunk.modules.push(id);
      chunk.size += size;
    }
  }
  return [...chunks.values()];
}

/** Merges the pair that is worth most, until none is worth it. */
function mergeChunks(graph: ModuleGraph, chunks: Chunk[], weights: readonly number[]): void {
  const refused = new WeakMap<Chunk, WeakSet<Chunk>>();
  for (;;) {
    const needs = needsOf(graph, chunks);
    let best: { one: Chunk; other: Chunk; worth: number } | undefined;
    for (const [place, one] of chunks.entries()) {
      if (one.isFixed) continue;
      for (const other of chunks.slice(place + 1)) {
        if (other.isFixed || refused.get(one)?.has(other) === true) continue;
        const saved = savedRequests(one, other, weights);
        if (saved <= (best?.worth ?? 0)) continue;
        const worth =
          saved -
          loadedInVain(one, other.parts, needs, weights) -
          loadedInVain(other, one.parts, needs, weights);
        if (worth > (best?.worth ?? 0)) best = { one, other, worth };
      }
    }
    if (best === undefined) return;
    if (isCircular(needs, best.one, best.other)) {
      refused.set(best.one, (refused.get(best.one) ?? new WeakSet()).add(best.other));
    } else {
      merge(chunks, best.one, best.other, needs);
    }
  }
}

function merge(
  chunks: Chunk[],
  one: Chunk,
  other: Chunk,
  needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>,
): void {
  const parts = new Set([...one.parts, ...other.parts]);
  const merged: Chunk = {
    modules: [...one.modules, ...other.modules],
    size: one.size + other.size,
    parts,
    isFixed: false,
  };
  for (const needed of new Set([...needs.get(one)!, ...needs.get(other)!])) {
    if (needed === one || needed === other) continue;
    chunks[chunks.indexOf(needed)] = {
      modules: needed.modules,
      size: needed.size,
      parts: new Set([...needed.parts, ...parts]),
      isFixed: needed.isFixed,
    };
  }
  chunks.splice(chunks.indexOf(other), 1);
  chunks[chunks.indexOf(one)] = merged;
}

/** The chunks that each chunk imports, itself and through others too. */
function needsOf(graph: ModuleGraph, chunks: readonly Chunk[]): ReadonlyMap<Chunk, ReadonlySet<Chunk>> {
  const chunkOf = new Map(chunks.flatMap((chunk) => chunk.modules.map((id) => [id, chunk] as const)));
  const imports = new Map(chunks.map((chunk) => [chunk, importsOf(graph, chunk, chunkOf)]));
  return new Map(
    chunks.map((chunk) => {
      const needed = new Set([chunk]);
      for (const current of needed) for (const imported of imports.get(current) ?? []) needed.add(imported);
      return [chunk, needed];
    }),
  );
}

function importsOf(
  graph: ModuleGraph,
  { modules }: Chunk,
  chunkOf: ReadonlyMap<string, Chunk>,
): ReadonlySet<Chunk> {
  const imports = new Set<Chunk>();
  for (const id of modules) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) {
      const chunk = chunkOf.get(imported);
      if (chunk !== undefined) imports.add(chunk);
    }
  }
  return imports;
}

/** What a merge saves: a request for each part that loads both. */
function savedRequests({ parts }: Chunk, other: Chunk, weights: readonly number[]): number {
  let saved = 0;
  for (const part of parts) if (other.parts.has(part)) saved += (weights[part] ?? 1) * REQUEST_COST;
  return saved;
}

/** What `parts` that do not load a chunk yet would load with it: itself, and what it imports. */
function loadedInVain(
  chunk: Chunk,
  parts: ReadonlySet<number>,
  needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>,
  weights: readonly number[],
): number {
  let loaded = 0;
  for (const part of parts) {
    if (chunk.parts.has(part)) continue;
    for (const needed of needs.get(chunk) ?? []) {
      if (!needed.parts.has(part)) loaded += (weights[part] ?? 1) * needed.size;
    }
  }
  return loaded;
}

/** Whether one of two chunks imports the other through a third: together they would import it and be imported by it. */
function isCircular(needs: ReadonlyMap<Chunk, ReadonlySet<Chunk>>, one: Chunk, other: Chunk): boolean {
  const isBetween = (chunk: Chunk) => chunk !== one && chunk !== other;
  return [one, other].some((end) =>
    [...(needs.get(end) ?? [])].some(
      (chunk) => isBetween(chunk) && (needs.get(chunk)!.has(one) || needs.get(chunk)!.has(other)),
    ),
  );
}
