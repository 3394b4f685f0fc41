import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ComponentHealth } from './health.ts';

const GIB = 2n ** 30n;
/** Below both of these a folder has too little: a small part of its disk, and not much at all. */
const LEAST_PERCENT = 10n;
const PLENTY = 20n * GIB;
/** Below this it has too little on any disk. */
const LEAST = GIB;

/** What is free of the disk that a folder lies on, in bytes. */
interface Room {
  readonly free: bigint;
  readonly size: bigint;
}

/** The disks that the server writes to, each by the name of a folder on it. */
export class Disks {
  private readonly folders: Readonly<Record<string, string>>;
  private readonly look: (folder: string) => Promise<Room>;

  /** `folders` that do not exist yet are looked for where they will be made. */
  constructor(folders: Readonly<Record<string, string>>, look: (folder: string) => Promise<Room> = roomOf) {
    this.folders = folders;
    this.look = look;
  }

  /** Not up while a folder has less room than a day of trouble takes; one call to the system for each. */
  async health(): Promise<ComponentHealth> {
    const rooms = await this.rooms();
    const facts = Object.fromEntries(rooms.map(([name, room]) => [name, textOf(room)]));
    const short = rooms.filter(([, room]) => isShort(room));
    if (short.length === 0) return { isUp: true, facts };
    const reason = short.map(([name, room]) => `the ${name} folder has ${textOf(room)}`).join('; ');
    return { isUp: false, reason, facts };
  }

  /** Free bytes by folder, for the metrics. */
  async free(): Promise<Record<string, number>> {
    return Object.fromEntries((await this.rooms()).map(([name, { free }]) => [name, Number(free)]));
  }

  private rooms(): Promise<(readonly [string, Room])[]> {
    return Promise.all(
      Object.entries(this.folders).map(async ([name, folder]) => [name, await this.look(folder)] as const),
    );
  }
}

function isShort({ free, size }: Room): boolean {
  return free < LEAST || (free < PLENTY && free * 100n < size * LEAST_PERCENT);
}

function textOf({ free, size }: Room): string {
  const tenths = (free * 10n) / GIB;
  const percent = size === 0n ? 0n : (free * 100n) / size;
  return `${tenths / 10n}.${tenths % 10n} GiB free (${percent} %)`;
}

/** The room that this process may use, of the folder or of the nearest one above that exists. */
async function roomOf(folder: string): Promise<Room> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder, { bigint: true });
    return { free: bavail * bsize, size: blocks * bsize };
  } catch (cause) {
    const above = dirname(folder);
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw cause;
    return roomOf(above);
  }
}
