import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { release } from './release.mjs';

const CHANGELOG =
  '# Changes\n\n## Unreleased\n\n- Deposits fail alone.\n\n## 1.0.0 (2026-11-01)\n\n- The first.\n';

describe('a release', () => {
  let root: string;
  const migrations = () => join(root, 'apps/server/migrations');
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const list = () => readFileSync(join(migrations(), 'released.sha256'), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'amethyst-release-'));
    mkdirSync(migrations(), { recursive: true });
    writeFileSync(join(migrations(), '0001_first.sql'), 'select 1;\n');
    writeFileSync(join(migrations(), 'released.sha256'), '');
    writeFileSync(join(root, 'CHANGELOG.md'), CHANGELOG);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('LIVE-1081 lists the new migrations behind the released ones, and dates the notes', () => {
    release(root, '1.1.0', '2026-11-26');
    const [first] = list().split('\n');
    expect(first).toMatch(/^[0-9a-f]{64} {2}0001_first\.sql$/);
    expect(read('CHANGELOG.md')).toContain(
      '## Unreleased\n\n## 1.1.0 (2026-11-26)\n\n- Deposits fail alone.\n',
    );
    writeFileSync(join(migrations(), '0002_second.sql'), 'select 2;\n');
    writeFileSync(
      join(root, 'CHANGELOG.md'),
      read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- More.\n'),
    );
    release(root, '1.2.0', '2026-11-27');
    expect(
      list()
        .split('\n')
        .map((line) => line.slice(66)),
    ).toEqual(['0001_first.sql', '0002_second.sql', '']);
    expect(list().startsWith(`${first}\n`)).toBe(true);
  });

  it.each([
    ['a released migration was changed', '0001_first.sql', '1.2.0', /0001_first\.sql was released/],
    ['a new migration has a lower number', '0000_early.sql', '1.2.0', /0000_early\.sql is new/],
    ['the notes are empty', '0002_second.sql', '1.2.0', /says nothing/],
    ['the version is none', '0002_second.sql', 'next', /no version/],
    ['the version is there already', '0002_second.sql', '1.0.0', /already/],
  ])('LIVE-1081 changes nothing where %s', (_, file, version, problem) => {
    release(root, '1.1.0', '2026-11-26');
    writeFileSync(join(migrations(), file), 'select 3;\n');
    const before = [list(), read('CHANGELOG.md')];
    expect(() => release(root, version, '2026-11-27')).toThrow(problem);
    expect([list(), read('CHANGELOG.md')]).toEqual(before);
  });

  it('LIVE-1081 can be made of the notes and migrations of this repository', () => {
    const repository = fileURLToPath(new URL('..', import.meta.url));
    cpSync(join(repository, 'apps/server/migrations'), migrations(), { recursive: true, force: true });
    rmSync(join(migrations(), '0001_first.sql'));
    cpSync(join(repository, 'CHANGELOG.md'), join(root, 'CHANGELOG.md'));
    release(root, '999.0.0', '2026-11-26');
    expect(read('CHANGELOG.md')).toContain('\n## Unreleased\n\n## 999.0.0 (2026-11-26)\n');
  });
});
