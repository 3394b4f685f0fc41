import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ComponentHealth } from './health.ts';

const GIB = 2n ** 30n;
/**
 * Percentage of free space. A folder counts as short of space if less than 10 % of its disk and also less than 20 GiB
 * are free.
 */
const MIN_FREE_PERCENT = 10n;
const ENOUGH_FREE = 20n * GIB;
/** Number of free bytes below which a folder counts as short of space, however large its disk is. */
const MIN_FREE = GIB;

/** Free space and total size of the disk on which a folder is, in bytes. */
interface DiskSpace {
  readonly free: bigint;
  readonly size: bigint;
}

/**
 * Checks the free space of the disks on which the given folders are. The health is down if a disk has less
 * than 1 GiB free, or both less than 20 GiB and less than 10 % of its size.
 */
export class Disks {
  private readonly folders: Readonly<Record<string, string>>;
  private readonly readSpace: (folder: string) => Promise<DiskSpace>;

  /** `folders` maps names to paths of folders. If a path does not exist yet, its nearest existing parent is checked. */
  constructor(
    folders: Readonly<Record<string, string>>,
    readSpace: (folder: string) => Promise<DiskSpace> = spaceOf,
  ) {
    this.folders = folders;
    this.readSpace = readSpace;
  }

  /** Returns the health of the folders' disks. It is down while a folder is short of space. */
  async health(): Promise<ComponentHealth> {
    const spaces = await this.readSpaces();
    const facts = Object.fromEntries(spaces.map(([name, room]) => [name, textOf(room)]));
    const short = spaces.filter(([, room]) => isShort(room));
    if (short.length === 0) return { isUp: true, facts };
    const reason = short.map(([name, room]) => `the ${name} folder has ${textOf(room)}`).join('; ');
    return { isUp: false, reason, facts };
  }

  /** Returns free disk space in bytes by the folder's name, for the metrics. */
  async free(): Promise<Record<string, number>> {
    return Object.fromEntries((await this.readSpaces()).map(([name, { free }]) => [name, Number(free)]));
  }

  private readSpaces(): Promise<(readonly [string, DiskSpace])[]> {
    return Promise.all(
      Object.entries(this.folders).map(
        async ([name, folder]) => [name, await this.readSpace(folder)] as const,
      ),
    );
  }
}

function isShort({ free, size }: DiskSpace): boolean {
  return free < MIN_FREE || (free < ENOUGH_FREE && free * 100n < size * MIN_FREE_PERCENT);
}

function textOf({ free, size }: DiskSpace): string {
  const tenths = (free * 10n) / GIB;
  const percent = size === 0n ? 0n : (free * 100n) / size;
  return `${tenths / 10n}.${tenths % 10n} GiB free (${percent} %)`;
}

/**
 * Returns the free space that is available to this process, and the total size, of the disk on which a folder
 * is. If the folder does not exist, returns those of its nearest existing parent.
 */
async function spaceOf(folder: string): Promise<DiskSpace> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder, { bigint: true });
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (cause) {
    const parent = dirname(folder);
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) throw cause;
    return spaceOf(parent);
  }
}
