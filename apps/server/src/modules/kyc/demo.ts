import sharp from 'sharp';
import { KYC_STATUS } from '@exchange/core/kyc.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Files } from '../files/index.ts';
import type { Identity } from '../identity/index.ts';
import { lastSubmission } from './repository.ts';
import type { Kyc } from './service.ts';

/** Made-up people whose documents wait for an operator: [account, mail address, name, country, number]. The last two use one document. */
const APPLICANTS = [
  ['applicant-1', 'maria.sample@example.com', 'Maria Sample', 'ES', 'SAMPLE-00017'],
  ['applicant-2', 'wang.yangli@example.com', '王样例', 'CN', '11010519491231002X'],
  ['applicant-3', 'jordan.sample@example.com', 'Jordan Sample', 'GB', 'SAMPLE-00042'],
  ['applicant-4', 'jo.sample@example.com', 'Jordan Sample', 'GB', 'SAMPLE-00042'],
] as const;
const EMAILS: ReadonlySet<string> = new Set(APPLICANTS.map(([, email]) => email));

/** Whether a mail address is that of a made-up applicant, whom operators decide about themselves. */
export function isApplicant(email: string): boolean {
  return EMAILS.has(email);
}

interface Parts {
  readonly database: Database;
  readonly kyc: Kyc;
  readonly files: Files;
  readonly identity: Pick<Identity, 'changeKycStatus'>;
}

/** Gives a demo's reviewers something to review, by the same ways as anybody's; each once. */
export async function seedKyc({ database, kyc, files, identity }: Parts, demo: Demo): Promise<void> {
  for (const [index, [account, email, name, country, idCard]] of APPLICANTS.entries()) {
    await demo.attempt(`identity of ${account}`, async () => {
      const owner = await demo.person(account, email);
      if ((await lastSubmission(database.store, owner)) !== undefined) return;
      // Demos from before had accounts of the house here, which are verified from the start.
      const committed = await database.transaction((tx) =>
        identity.changeKycStatus(tx, owner, { status: KYC_STATUS.none }),
      );
      committed();
      const upload = async (tone: number) =>
        (await files.upload(owner, 'identity', await card(index * 40 + tone))).id;
      const photos = { idCardPhotoPositive: await upload(90), idCardPhotoReverseSide: await upload(110) };
      await kyc.submit(owner, { name, country, idCard, ...photos }, undefined);
    });
  }
}

/** A card of one colour with a stripe: plainly no document. */
async function card(tone: number): Promise<Buffer> {
  const stripe = { create: { width: 1_000, height: 90, channels: 3 as const, background: '#4c1d95' } };
  return sharp({
    create: { width: 1_000, height: 630, channels: 3, background: { r: tone, g: 170, b: 210 } },
  })
    .composite([{ input: stripe, left: 0, top: 0 }])
    .jpeg()
    .toBuffer();
}
