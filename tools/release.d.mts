/** Records a release in the files below `root`; throws when it is refused. `day` has the form 2026-11-26. */
export function release(root: string, version: string, day: string): void;
