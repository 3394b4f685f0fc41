/**
 * Finds the browser and the fonts for the browser tests, and installs missing ones on Debian. This file can also be run
 * as a command.
 */
import { spawnSync } from 'node:child_process';
import { isStartedAs } from '../source/report.mjs';
import { findExecutable, isExecutable } from './executables.mjs';

/**
 * Names of the browser's program, preferred name first. The headless shell is the same engine without browser windows,
 * which reduces the time of the tests by about a tenth.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const MACOS_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const PACKAGES = { browser: 'chromium', shell: 'chromium-headless-shell', fonts: 'fonts-noto-cjk' };

/**
 * Installs the browser and Chinese fonts if they are missing and can be installed. Returns the path of the browser.
 * @param {(line: string) => void} say
 * @returns {{ executable: string, problem: string | null }} `problem` says what the user must install; null if
 *   there is a browser
 */
export function ensureBrowser(say) {
  const missing = missingPackages();
  let reason = missing.length > 0 ? installPackages(missing, say) : null;
  // Older Debian releases have no package for the headless shell, so only the browser is installed then.
  if (reason !== null && missing.includes(PACKAGES.shell))
    reason = installPackages(
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

/**
 * @returns {string | null} the path of a Chromium or Chrome; null if there is none
 */
function findBrowser() {
  const { CHROMIUM_PATH: configuredPath } = process.env;
  if (configuredPath) return isExecutable(configuredPath) ? configuredPath : null;
  return findExecutable(NAMES) ?? MACOS_PATHS.find(isExecutable) ?? null;
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

/**
 * Installs Debian packages, as root or with sudo.
 * @param {string[]} packages @param {(line: string) => void} say @returns {string | null} why the installation failed
 */
export function installPackages(packages, say) {
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return 'there is no apt-get here';
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) {
    return `root is needed: apt-get install ${packages.join(' ')}`;
  }
  say(`Installing ${packages.join(' and ')} …`);
  const aptGet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-y'];
  const [command, ...prefix] = isRoot ? aptGet : ['sudo', '-n', ...aptGet];
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
