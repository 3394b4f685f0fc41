/** Notes a release in the files below `root`; throws where it is refused. `day` as 2026-11-26. */
export function release(root: string, version: string, day: string): void;
