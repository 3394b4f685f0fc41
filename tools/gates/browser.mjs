/** Finds the browser and the fonts the journeys need, and on Debian installs what is missing; as a command, just that. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isStartedAs } from '../source/report.mjs';

/** The shell is the same engine without the windows around it, which journeys do not see and which cost a tenth of them. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const ELSEWHERE = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const PACKAGES = { browser: 'chromium', shell: 'chromium-headless-shell', fonts: 'fonts-noto-cjk' };

/**
 * @param {(line: string) => void} say
 * @returns {{ executable: string, problem: string | null }} `problem` says what a person has to do
 */
export function ensureBrowser(say) {
  const missing = missingPackages();
  let reason = missing.length > 0 ? install(missing, say) : null;
  // Older releases of Debian have no package of the shell alone.
  if (reason !== null && missing.includes(PACKAGES.shell))
    reason = install(
      missing.filter((name) => name !== PACKAGES.shell),
      say,
    );
  const executable = findBrowser();
  if (executable === null) {
    return {
      executable: '',
      problem: `No Chromium found${reason ? ` (${reason})` : ''}. Install Chromium or Chrome, or set CHROMIUM_PATH.`,
    };
  }
  if (!hasChineseFonts())
    say(`No Chinese fonts found${reason ? ` (${reason})` : ''}; screenshots will show boxes.`);
  return { executable, problem: null };
}

/** @returns {string | null} the path of a Chromium or Chrome */
function findBrowser() {
  const { CHROMIUM_PATH: chosen, PATH: path = '' } = process.env;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  const onPath = path.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...ELSEWHERE].find(isExecutable) ?? null;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not ours to run: either way it cannot serve.
    return false;
  }
}

function missingPackages() {
  const browser = findBrowser() === null ? [PACKAGES.browser, PACKAGES.shell] : [];
  return hasChineseFonts() ? browser : [...browser, PACKAGES.fonts];
}

function hasChineseFonts() {
  if (process.platform !== 'linux') return true;
  const { status, stdout } = spawnSync('fc-list', [':lang=zh', 'family'], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '';
}

/** @param {string[]} packages @param {(line: string) => void} say @returns {string | null} why nothing was installed */
function install(packages, say) {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return 'there is no apt-get here';
  const asRoot = process.getuid?.() === 0;
  if (!asRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) {
    return `root is needed: apt-get install ${packages.join(' ')}`;
  }
  say(`Installing ${packages.join(' and ')} …`);
  const quietly = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y'];
  const [command, ...prefix] = asRoot ? quietly : ['sudo', '-n', ...quietly];
  for (const step of [['update'], ['install', '--no-install-recommends', ...packages]]) {
    const { status } = spawnSync(command, [...prefix, ...step], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) return `apt-get ${step[0]} failed`;
  }
  return null;
}

if (isStartedAs(import.meta.url)) {
  const { executable, problem } = ensureBrowser(console.log);
  console.log(problem ?? executable);
  process.exitCode = problem === null ? 0 : 1;
}
