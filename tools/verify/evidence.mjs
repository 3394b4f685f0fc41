// Reads downloaded files and checks those that are signed or listed: keys (/proof/keys), checkpoints
// (/proof/checkpoint), the manifest of closed hours (/proof/manifest), the versions of the terms (/proof/config) and
// lines of the tape (.jsonl, from /proof/file).
import { readFileSync } from 'node:fs';
import { canonical, keysOf, sha256, signatureFault, tapeFault, units } from './tape.mjs';

const HOUR = 3_600_000;
/**
 * The field names of a response with lines of the tape. A response that has other fields besides them is a settlement
 * record and not a part of the tape.
 */
const TAPE_PARTS = ['symbol', 'lines'];

/** @param {any} checkpoint @param {any} evidence @returns {string | undefined} what is wrong with a checkpoint */
export function checkpointFault(checkpoint, { keys, hashes }) {
  const { symbol, seq, t, hash } = checkpoint;
  if ((hashes.get(`${symbol} ${seq}`) ?? hash) !== hash) return `checkpoint ${seq} is of another line`;
  const fault = keys.size > 0 && signatureFault(['tape', symbol, seq, t, hash].join('|'), checkpoint, keys);
  return fault ? `checkpoint ${seq}: ${fault}` : undefined;
}

/**
 * @param {readonly any[]} list newest first @param {any} evidence
 * @returns {string | undefined} what is wrong with the versions of the terms
 */
function versionsFault(list, { keys }) {
  for (const [index, { receipt, ...version }] of list.entries()) {
    const before = list[index + 1];
    if (before !== undefined && (before.version !== version.version - 1 || before.at > version.at))
      return `version ${version.version} does not follow ${before.version}`;
    const fault = keys.size > 0 && signatureFault(`terms|${canonical(version)}`, receipt, keys);
    if (fault) return `version ${version.version}: ${fault}`;
  }
  return undefined;
}

/**
 * @param {any} position @param {any} evidence @returns {string | undefined} a fault if the position's terms were not
 * offered when it was accepted
 */
export function termsFault({ symbol, seconds, profitRate, feeRate, acceptedAt }, { versions }) {
  if (versions.length === 0) return undefined;
  // A version of the terms is valid until the next version begins. In the millisecond of the change, both are valid.
  const next = ({ version }) => versions.find((entry) => entry.version === version + 1);
  const valid = versions.filter(
    (entry) => entry.at <= acceptedAt && (next(entry)?.at ?? acceptedAt) >= acceptedAt,
  );
  const isOffered = valid.some(
    (version) =>
      version.symbols.includes(symbol) &&
      units(version.feeRate) === units(feeRate) &&
      version.durations.some(({ second, rate }) => second === seconds && units(rate) === units(profitRate)),
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
  const entry = listed.find((file) => file.symbol === first.symbol && file.hour === hour);
  if (entry === undefined) return 'it is not in the manifest';
  const isWhole = entry.firstSeq === first.seq && entry.lastSeq === last.seq && entry.lastHash === last.hash;
  return isWhole && entry.sha256 === sha256(text) && last.t < hour + HOUR
    ? undefined
    : 'the manifest says otherwise';
}

/**
 * Reads files and sorts them by kind. If a file cannot be read, this is recorded as a fault of the file.
 * @param {readonly string[]} paths @returns {any}
 */
export function gathered(paths) {
  const evidence = { faults: [], tapes: [], documents: [], listed: [], checkpoints: [] };
  Object.assign(evidence, { terms: [], versions: [] });
  Object.assign(evidence, { keys: new Map(), hashes: new Map(), lines: new Map() });
  const addTape = (path, text, isFile) => {
    evidence.tapes.push([path, text, isFile]);
    for (const line of text
      .trimEnd()
      .split('\n')
      .map((json) => JSON.parse(json))) {
      evidence.hashes.set(`${line.symbol} ${line.seq}`, line.hash);
      evidence.lines.set(`${line.symbol} ${line.t}`, line);
    }
  };
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8');
      const parsed = path.endsWith('.jsonl') ? undefined : JSON.parse(text);
      const document = parsed?.data ?? parsed;
      if (document === undefined) addTape(path, text, true);
      else if (Array.isArray(document.keys)) evidence.keys = keysOf(document.keys);
      else if (Array.isArray(document.checkpoints)) evidence.checkpoints.push([path, document.checkpoints]);
      else if (document.list?.some(({ durations }) => durations)) {
        evidence.terms.push([path, document.list]);
        evidence.versions.push(...document.list);
      } else if (Array.isArray(document.list)) evidence.listed.push(...document.list);
      else if (
        Array.isArray(document.lines) &&
        Object.keys(document).every((key) => TAPE_PARTS.includes(key))
      )
        addTape(path, document.lines.map((line) => `${line}\n`).join(''), false);
      else evidence.documents.push([path, document]);
    } catch (cause) {
      evidence.faults.push([path, cause.message]);
    }
  }
  return evidence;
}

/**
 * Checks all files except keys and manifests, which are used to check the other files.
 * @param {any} evidence @param {(document: any, evidence: any) => string | undefined} documentFault
 * @returns {[string, string | undefined][]} each path with its fault, if any
 */
export function verdicts(evidence, documentFault) {
  const verdict = (path, fault) => {
    try {
      return [path, fault()];
    } catch (cause) {
      return [path, cause.message];
    }
  };
  const { faults, tapes, documents, checkpoints, terms } = evidence;
  return [
    ...faults,
    ...tapes.map(([path, text, isFile]) => verdict(path, () => tapeFileFault(text, isFile, evidence))),
    ...checkpoints.map(([path, list]) =>
      verdict(path, () =>
        list.map((checkpoint) => checkpointFault(checkpoint, evidence)).find((fault) => fault !== undefined),
      ),
    ),
    ...terms.map(([path, list]) => verdict(path, () => versionsFault(list, evidence))),
    ...documents.map(([path, document]) => verdict(path, () => documentFault(document, evidence))),
  ];
}

/**
 * Checks the files on the command line. Prints `holds` or the fault of each file, but for keys and manifests only a
 * fault. Sets the exit code to 1 if there is a fault.
 * @param {(document: any, evidence: any) => string | undefined} documentFault
 */
export function run(documentFault) {
  for (const [path, fault] of verdicts(gathered(process.argv.slice(2)), documentFault)) {
    console.log(`${path}: ${fault ?? 'holds'}`);
    if (fault !== undefined) process.exitCode = 1;
  }
}
