import { crc32, deflateSync } from 'node:zlib';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Files } from '../files/index.ts';
import type { Identity } from '../identity/index.ts';
import { lastSubmission } from './repository.ts';
import type { Kyc } from './service.ts';

/**
 * Invented applicants whose documents wait for review: account, email address, name, country, document number. The last
 * two have the same document.
 */
const APPLICANTS = [
  ['applicant-1', 'maria.sample@example.com', 'Maria Sample', 'ES', 'SAMPLE-00017'],
  ['applicant-2', 'wang.yangli@example.com', '王样例', 'CN', '11010519491231002X'],
  ['applicant-3', 'jordan.sample@example.com', 'Jordan Sample', 'GB', 'SAMPLE-00042'],
  ['applicant-4', 'jo.sample@example.com', 'Jordan Sample', 'GB', 'SAMPLE-00042'],
] as const;
const EMAILS: ReadonlySet<string> = new Set(APPLICANTS.map(([, email]) => email));

/** True if an email address belongs to an invented applicant, about whom operators of the demo decide. */
export function isApplicant(email: string): boolean {
  return EMAILS.has(email);
}

interface Parts {
  readonly database: Database;
  readonly kyc: Kyc;
  readonly files: Files;
  readonly identity: Pick<Identity, 'changeKycStatus'>;
}

/** Creates the demo's identity submissions that wait for review, with the ordinary service and only once each. */
export async function seedKyc({ database, kyc, files, identity }: Parts, demo: Demo): Promise<void> {
  for (const [index, [account, email, name, country, idCard]] of APPLICANTS.entries()) {
    await demo.attempt(`identity of ${account}`, async () => {
      const owner = await demo.person(account, email);
      if ((await lastSubmission(database.store, owner)) !== undefined) return;
      // In demos of older versions the applicant is a system account, which counts as verified. The status is reset, so
      // that operators can review the submission.
      const committed = await database.transaction((tx) =>
        identity.changeKycStatus(tx, owner, { status: KYC_STATUS.none }),
      );
      committed();
      const upload = async (tone: number) =>
        (await files.upload(owner, 'identity', card(index * 40 + tone))).id;
      const photos = { idCardPhotoPositive: await upload(90), idCardPhotoReverseSide: await upload(110) };
      await kyc.submit(owner, { name, country, idCard, ...photos }, undefined);
    });
  }
}

const CARD = { width: 1_000, height: 630, stripe: 90 } as const;
const STRIPE = [0x4c, 0x1d, 0x95] as const;
const PNG_MARK = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Returns a PNG of one colour with a stripe, which is clearly not a real document. */
function card(tone: number): Buffer {
  const { width, height, stripe } = CARD;
  // Each pixel row of a PNG starts with a byte for its filter type; 0 means no filter.
  const row = (colour: readonly number[]) =>
    Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const [upper, lower] = [row(STRIPE), row([tone, 170, 210])];
  const rows = Array.from({ length: height }, (_, y) => (y < stripe ? upper : lower));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // The header states eight bits per channel and three channels (colour type 2).
  head.set([8, 2], 8);
  return Buffer.concat([
    PNG_MARK,
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}
