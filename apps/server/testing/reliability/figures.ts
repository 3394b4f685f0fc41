/** Measured times in milliseconds, e.g. until a recovery or an answer, by the name of the disturbance. */
export class Timings {
  private readonly byName = new Map<string, number[]>();

  add(name: string, ms: number): void {
    this.byName.set(name, [...(this.byName.get(name) ?? []), ms]);
  }

  get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  get slowestMs(): number {
    return Math.max(0, ...[...this.byName.values()].flat());
  }

  get count(): number {
    return [...this.byName.values()].flat().length;
  }

  /**
   * Returns the lines of a Markdown table with a row per disturbance and a row for all together: the number
   * of times, and the shortest, the median and the longest time in seconds.
   */
  table(heading: string): string[] {
    const rows = [...this.byName].map(([name, times]) => row(name, times));
    return [
      `| ${heading} | times | ready again: least | middle | most |`,
      '| --- | --- | --- | --- | --- |',
      ...rows,
      row('all', [...this.byName.values()].flat()),
    ];
  }
}

function row(name: string, all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  const times = [sorted[0], middle, sorted.at(-1)].map((ms) => seconds(ms ?? 0));
  return `| ${name} | ${all.length} | ${times.join(' | ')} |`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
