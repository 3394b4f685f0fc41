/**
 * The latest times of keys, as numbers of milliseconds. Of more than `most` keys, those whose times were set longest ago
 * are forgotten.
 */
export class RecentTimes<Time extends number = number> {
  private readonly most: number;
  private readonly times = new Map<string, Time>();

  constructor(most: number) {
    this.most = most;
  }

  get(key: string): Time | undefined {
    return this.times.get(key);
  }

  set(key: string, time: Time): void {
    this.times.delete(key);
    this.times.set(key, time);
    const [oldest] = this.times.keys();
    if (this.times.size > this.most && oldest !== undefined) this.times.delete(oldest);
  }

  delete(key: string): void {
    this.times.delete(key);
  }
}
