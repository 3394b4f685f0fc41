import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const server = join(root, 'apps/server/src');

/**
 * Names of the server's metrics, found in its sources by a pattern of literals. `runbook.test.ts` checks that the name
 * of each metric is such a literal.
 */
const measured = new Set(
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(join(server, file), 'utf8').matchAll(
        /(?:\.(?:counter|gauge)\(\s*|\.gauges\(\s*\{\s*name:\s+|super\(\{\s*name:\s+)'([a-z]+_[a-z_]+)'/g,
      ),
    ])
    .map(([, name]) => name!),
);
/** Matches the metrics of Node.js and of the process, and `up`, which Prometheus itself adds. */
const RUNTIME = /^(?:nodejs_|process_|up$)/;

/** Returns the names of the metrics in an expression: its words except functions, labels, numbers and keywords. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\bby\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z_][a-z0-9_]+(?![a-z0-9_]*\s*\()/g)]
    .map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
    .filter((name) => name !== 'or' && name !== 'and');
}

const unknownIn = (expressions: readonly string[]) =>
  expressions.flatMap(metricsIn).filter((name) => !measured.has(name) && !RUNTIME.test(name));

it('CLU-085 dashboards show metrics that exist, and every metric of a cluster', () => {
  const dashboards = readdirSync(join(root, 'deploy/grafana')).map((file) => read(`deploy/grafana/${file}`));
  expect(dashboards).toHaveLength(2);
  const expressions = dashboards.flatMap((text) => {
    const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] };
    return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  });
  expect(unknownIn(expressions)).toEqual([]);
  const shown = new Set(expressions.flatMap(metricsIn));
  const ofCluster = [...measured].filter((name) => name.startsWith('cluster_'));
  expect(ofCluster.length).toBeGreaterThan(20);
  // Dashboards need not show the metrics `cluster_requests_total` and `cluster_snapshots_total`: the number
  // of followed topics includes the requested topics, and the snapshots are the responses to the requests.
  const counted = new Set(['cluster_requests_total', 'cluster_snapshots_total']);
  expect(ofCluster.filter((name) => !shown.has(name) && !counted.has(name))).toEqual([]);
});

it('CLU-086 every alarm is about metrics that exist and names its entry of the runbook', () => {
  const rules = read('deploy/prometheus/alerts.yml')
    .split(/\n {6}- alert: /)
    .slice(1);
  expect(rules.length).toBeGreaterThan(15);
  const headings = new Set(
    [...read('docs/runbook.md').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
  for (const rule of rules) {
    const [, expression = ''] = /expr: '?(.+?)'?\n/.exec(rule) ?? [];
    const [, anchor = ''] = /runbook: docs\/runbook\.md#(\S+)/.exec(rule) ?? [];
    expect(metricsIn(expression), rule).not.toEqual([]);
    expect(unknownIn([expression]), rule).toEqual([]);
    expect(headings.has(anchor), rule).toBe(true);
    expect(rule).toMatch(/severity: (?:page|ticket)/);
  }
});

it('CLU-087 the settings of each role are settings that the program reads', () => {
  const config = read('apps/server/src/config.ts');
  const blocks = read('deploy/compose.cluster.yaml').split(/\n(?=\S)/);
  for (const block of blocks.filter((text) => /^x-(?:\w+-)?settings:/.test(text))) {
    const names = [...block.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name!);
    expect(names, block).not.toEqual([]);
    expect(
      names.filter((name) => !config.includes(`  ${name}:`)),
      block,
    ).toEqual([]);
  }
  for (const file of readdirSync(join(root, 'deploy/env'))) {
    const names = [...read(`deploy/env/${file}`).matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name!);
    expect(names.length, file).toBeGreaterThan(3);
    expect(
      names.filter((name) => !config.includes(`  ${name}:`)),
      file,
    ).toEqual([]);
  }
});
