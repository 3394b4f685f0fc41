// Downloaded files by what they are, and what is signed and listed: keys (/proof/keys), checkpoints (/proof/checkpoint),
// the manifest of closed hours (/proof/manifest), the versions of the terms (/proof/config) and lines of the tape (.jsonl, as /proof/file gives them).
import { readFileSync } from 'node:fs';
import { canonical, keyOf, sha256, signatureFault, tapeFault, units } from './tape.mjs';

const HOUR = 3_600_000;
/** What an answer with lines of the tape is made of; a settlement has lines and more. */
const TAPE_PARTS = ['symbol', 'lines'];

/** @param {any} checkpoint @param {any} evidence @returns {string | undefined} what is wrong with a checkpoint */
export function checkpointFault(checkpoint, { keys, hashes }) {
  const { symbol, seq, t, hash } = checkpoint;
  if ((hashes.get(`${symbol} ${seq}`) ?? hash) !== hash) return `checkpoint ${seq} is of another line`;
  const fault = keys.size > 0 && signatureFault(['tape', symbol, seq, t, hash].join('|'), checkpoint, keys);
  return fault ? `checkpoint ${seq}: ${fault}` : undefined;
}

/** @param {readonly any[]} list newest first @param {any} evidence @returns {string | undefined} what is wrong with the versions of the terms */
function versionsFault(list, { keys }) {
  for (const [index, { receipt, ...said }] of list.entries()) {
    const before = list[index + 1];
    if (before !== undefined && (before.version !== said.version - 1 || before.at > said.at))
      return `version ${said.version} does not follow ${before.version}`;
    const fault = keys.size > 0 && signatureFault(`terms|${canonical(said)}`, receipt, keys);
    if (fault) return `version ${said.version}: ${fault}`;
  }
  return undefined;
}

/** @param {any} position @param {any} evidence @returns {string | undefined} whether the terms of its time had what it was opened with */
export function termsFault({ symbol, seconds, profitRate, feeRate, acceptedAt }, { versions }) {
  if (versions.length === 0) return undefined;
  // A version counts until the next was set; in that very millisecond either may.
  const next = ({ version }) => versions.find((one) => one.version === version + 1);
  const known = versions.filter((one) => one.at <= acceptedAt && (next(one)?.at ?? acceptedAt) >= acceptedAt);
  const isOffered = known.some(
    (one) =>
      one.symbols.includes(symbol) &&
      units(one.feeRate) === units(feeRate) &&
      one.durations.some(({ second, rate }) => second === seconds && units(rate) === units(profitRate)),
  );
  return isOffered ? undefined : 'the terms of its time had something else';
}

/** @param {string} text @param {any} evidence @returns {string | undefined} what is wrong with a file of the tape */
function tapeFileFault(text, isFile, { listed }) {
  if (!text.endsWith('\n')) return 'it does not end with its last line';
  const texts = text.slice(0, -1).split('\n');
  const fault = tapeFault(texts);
  if (fault !== undefined || !isFile || listed.length === 0) return fault;
  const [first, last] = [texts[0], texts.at(-1)].map((line) => JSON.parse(line));
  const hour = Math.floor(first.t / HOUR) * HOUR;
  const entry = listed.find((one) => one.symbol === first.symbol && one.hour === hour);
  if (entry === undefined) return 'it is not in the manifest';
  const isWhole = entry.firstSeq === first.seq && entry.lastSeq === last.seq && entry.lastHash === last.hash;
  return isWhole && entry.sha256 === sha256(text) && last.t < hour + HOUR
    ? undefined
    : 'the manifest says otherwise';
}

/** @param {readonly string[]} paths @returns {any} what was given, by its kind; what cannot be read is told as a fault of its file */
export function gathered(paths) {
  const evidence = { faults: [], tapes: [], documents: [], listed: [], checkpoints: [] };
  Object.assign(evidence, { terms: [], versions: [] });
  Object.assign(evidence, { keys: new Map(), hashes: new Map(), lines: new Map() });
  const tape = (path, text, isFile) => {
    evidence.tapes.push([path, text, isFile]);
    for (const line of text
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one))) {
      evidence.hashes.set(`${line.symbol} ${line.seq}`, line.hash);
      evidence.lines.set(`${line.symbol} ${line.t}`, line);
    }
  };
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8');
      const parsed = path.endsWith('.jsonl') ? undefined : JSON.parse(text);
      const document = parsed?.data ?? parsed;
      if (document === undefined) tape(path, text, true);
      else if (Array.isArray(document.keys)) evidence.keys = new Map(document.keys.map(keyOf));
      else if (Array.isArray(document.checkpoints)) evidence.checkpoints.push([path, document.checkpoints]);
      else if (document.list?.some(({ durations }) => durations)) {
        evidence.terms.push([path, document.list]);
        evidence.versions.push(...document.list);
      } else if (Array.isArray(document.list)) evidence.listed.push(...document.list);
      else if (
        Array.isArray(document.lines) &&
        Object.keys(document).every((key) => TAPE_PARTS.includes(key))
      )
        tape(path, document.lines.map((line) => `${line}\n`).join(''), false);
      else evidence.documents.push([path, document]);
    } catch (cause) {
      evidence.faults.push([path, cause.message]);
    }
  }
  return evidence;
}

/** @param {any} evidence @param {(document: any, evidence: any) => string | undefined} documentFault @returns {[string, string | undefined][]} each file with what is wrong with it */
export function verdicts(evidence, documentFault) {
  const of = (path, fault) => {
    try {
      return [path, fault()];
    } catch (cause) {
      return [path, cause.message];
    }
  };
  const { faults, tapes, documents, checkpoints, terms } = evidence;
  return [
    ...faults,
    ...tapes.map(([path, text, isFile]) => of(path, () => tapeFileFault(text, isFile, evidence))),
    ...checkpoints.map(([path, list]) =>
      of(path, () => list.map((one) => checkpointFault(one, evidence)).find((fault) => fault !== undefined)),
    ),
    ...terms.map(([path, list]) => of(path, () => versionsFault(list, evidence))),
    ...documents.map(([path, document]) => of(path, () => documentFault(document, evidence))),
  ];
}

/** Says of each file of the command line whether it holds; ends with 1 where one does not. @param {(document: any, evidence: any) => string | undefined} documentFault */
export function run(documentFault) {
  for (const [path, fault] of verdicts(gathered(process.argv.slice(2)), documentFault)) {
    console.log(`${path}: ${fault ?? 'holds'}`);
    if (fault !== undefined) process.exitCode = 1;
  }
}
