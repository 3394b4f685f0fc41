import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { collectingLog, runningEdge } from '../../../testing/edge.ts';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { registerSites } from './sites.ts';
import { storeBuild, type SiteDirectories } from './stored-builds.ts';

let folder: string;
let directories: SiteDirectories;
let builds: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'builds-'));
  directories = { desktop: join(folder, 'desktop'), mobile: join(folder, 'mobile') };
  builds = join(folder, 'data/builds');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces the built sites, as a deployment does. */
function deploy(version: string): void {
  for (const directory of Object.values(directories)) {
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(join(directory, 'assets'), { recursive: true });
    writeFileSync(join(directory, 'index.html'), '<html><head><title>A</title></head></html>');
    writeFileSync(join(directory, `assets/part-${version}.js`), `'${version}'`);
  }
}

const clock = new FakeClock();
const store = (log = collectingLog()) => {
  clock.advance(60_000);
  return storeBuild({
    folder: builds,
    directories,
    clock,
    log,
  });
};

/** Starts a server with the built sites, requests the paths, stops the server, and returns the responses. */
async function fetchAll(paths: readonly string[]) {
  const edge = await runningEdge({}, async (app) =>
    registerSites(app, {
      directories,
      buildsDirectory: builds,
      publicUrl: undefined,
      listedPairs: new Set(),
    }),
  );
  try {
    const answers = [];
    for (const path of paths) {
      const answer = await fetch(edge.url + path, { headers: { accept: 'text/html' } });
      answers.push({
        status: answer.status,
        build: answer.headers.get('x-build'),
        text: await answer.text(),
      });
    }
    return answers;
  } finally {
    await edge.app.close();
  }
}

it('EDGE-900 hashed files of the last three builds stay available after a deployment, older ones do not', async () => {
  for (const version of ['1', '2', '3', '4']) {
    deploy(version);
    await store();
  }
  deploy('5');
  const paths = ['1', '2', '3', '4', '5'].map((version) => `/pc/assets/part-${version}.js`);
  expect((await fetchAll(paths)).map(({ status }) => status)).toEqual([404, 200, 200, 200, 200]);
  expect((await fetchAll(['/assets/part-2.js']))[0]).toMatchObject({ status: 200, text: `'2'` });
});

it('EDGE-900 only hashed files of an earlier build are served, never its page', async () => {
  deploy('1');
  await store();
  rmSync(join(directories.desktop, 'index.html'));
  const [page] = await fetchAll(['/pc/']);
  expect([page?.status, page?.text]).toEqual([404, expect.stringContaining('is not built')]);
});

it('EDGE-901 every answer and page names the build of the sites', async () => {
  deploy('1');
  const [page, call] = await fetchAll(['/pc/', '/bb/app/nothing']);
  expect(page?.build).toMatch(/^[0-9a-f]{16}$/);
  expect(page?.text).toContain(`<meta name="build" content="${page?.build}" />`);
  expect(call?.build).toBe(page?.build);
  deploy('2');
  const [next] = await fetchAll(['/pc/']);
  expect(next?.build).not.toBe(page?.build);
});

it('EDGE-900 a folder that is not writable is logged and has no other effect', async () => {
  deploy('1');
  mkdirSync(join(folder, 'data'), { recursive: true });
  writeFileSync(builds, 'a file where the folder should be');
  const log = collectingLog();
  await store(log);
  expect(log.events.map(({ event }) => event)).toEqual(['sites.build_not_stored']);
  expect((await fetchAll(['/pc/']))[0]?.status).toBe(200);
});
