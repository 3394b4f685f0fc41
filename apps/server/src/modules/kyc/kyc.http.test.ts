import type { DataOf } from '@exchange/wire/endpoint.ts';
import { buyFinance } from '@exchange/wire/finance.ts';
import { getVerify, submitVerify } from '@exchange/wire/kyc.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { userInfo } from '@exchange/wire/user.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import { proofKeys } from '@exchange/wire/proof.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoParts } from '../../../testing/demo-parts.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate as operatorCall, operateAs } from '../../../testing/operators.ts';
import { requireNoErrors } from '../../../testing/crawls/raw-call.ts';
import { keysOf } from '../../../../../tools/verify/tape.mjs';
import { recentRotation, reencryptAll } from '../../commands/rotate/reencrypt.ts';
import { readOpenedAs, requireSame } from '../../platform/database/opened-as.ts';
import { clientOptions } from '../../platform/database/pool.ts';
import { LocalFileStore } from '../../platform/files/file-store.ts';
import { SealedStore } from '../../platform/files/sealed-store.ts';
import { openServerSecret, replaceSecretFile } from '../../platform/secrets/server-secret.ts';
import { signingKeyOf } from '../../platform/secrets/signing-key.ts';
import { decryptHash } from '../../platform/secrets/slow-hash.ts';
import { stepIdSecret } from '../../platform/sequencer/step-ids.ts';
import { aPicture, upload, uploaded } from '../files/testing/uploads.ts';

const ADA = { name: 'Ada Lovelace', country: 'GB', idCard: 'LOVE 1815-12' };
let drawn = 0;

describe('identity verification', () => {
  let exchange: TestExchange;
  const lists = mkdtempSync(join(tmpdir(), 'exchange-lists-'));

  beforeAll(async () => {
    writeFileSync(join(lists, 'names.txt'), 'TESTOV, Ivan Petrovich\n');
    exchange = await anExchange({ poolSize: 4, settings: { SANCTIONS_FOLDER: lists } });
  });

  afterAll(async () => {
    rmSync(lists, { recursive: true });
    // `requireNoErrors` tolerates log entries about seconds without an index price, which these tests cause by
    // advancing the clock.
    requireNoErrors(exchange);
    await exchange.close();
  });

  /** Uploads two pictures that no other test uses, and returns their file ids as fields of a submission. */
  async function photos(trader: TestTrader) {
    const picture = async () => {
      drawn += 1;
      const colour = `#${(drawn * 4_099).toString(16).padStart(6, '0').slice(-6)}`;
      return (await uploaded(trader, 'identity', colour)).id;
    };
    return { idCardPhotoPositive: await picture(), idCardPhotoReverseSide: await picture() };
  }

  async function submitted(person: Partial<typeof ADA> = {}) {
    const trader = await exchange.aUser();
    const fields = { ...ADA, ...person, ...(await photos(trader)) };
    await trader.request(submitVerify, fields);
    return { trader, fields, id: await waitingOf(trader) };
  }

  async function waitingOf(trader: TestTrader): Promise<string> {
    const uid = (await trader.request(userInfo)).uid;
    const { submissions } = (await operate('GET', '/ops/kyc/submissions')).body as {
      submissions: { id: string; uid: string }[];
    };
    return submissions.find((row) => row.uid === uid)!.id;
  }

  async function operate(method: 'GET' | 'POST', path: string, fields: Record<string, string> = {}) {
    const body = method === 'POST' ? { reason: 'a test', ...fields } : undefined;
    const response = await operatorCall(exchange, path, body);
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      bytes,
      body: isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {},
    };
  }

  /** Views the data, the front and the back of a submission, which every decision requires. */
  const openAll = async (id: string) => {
    const { submission } = (await operate('GET', `/ops/kyc/submissions/${id}`)).body as {
      submission: Record<string, string>[];
    };
    for (const side of ['front', 'back']) await operate('GET', submission[0]![side]!);
  };
  const decideUnopened = (id: string, verb: 'approve' | 'reject', fields: Record<string, string> = {}) =>
    operate('POST', `/ops/kyc/submissions/${id}/${verb}`, fields);
  const approve = async (id: string) => {
    await openAll(id);
    return decideUnopened(id, 'approve');
  };
  const reject = async (id: string, fields: Record<string, string>) => {
    await openAll(id);
    return decideUnopened(id, 'reject', fields);
  };

  it('TRE-051 TRE-053 a name on a sanctions list is not verified until two operators have cleared the hit', async () => {
    const { id, trader } = await submitted({ name: 'Iván Testov', idCard: 'TESTOV 1' });
    const hits = async () =>
      (await operate('GET', '/ops/screening/hits')).body['hits'] as { id: string; owner: string }[];
    const [hit] = (await hits()).filter(({ owner }) => owner === trader.id);
    expect(hit).toMatchObject({
      subjectKind: 'identity',
      subject: id,
      entry: 'TESTOV, Ivan Petrovich',
      list: 'names.txt',
    });
    // The sanctions hit contains no name: a name is stored only with the identity, and encrypted.
    const { rows } = await exchange.database.pool.query('select screened from sanction_hit where id = $1', [
      hit!.id,
    ]);
    expect(rows).toEqual([{ screened: null }]);
    expect(await approve(id)).toMatchObject({ status: 400, body: { key: 'l.screening_open' } });
    expect(await trader.request(getVerify)).toMatchObject({ status: 1, reasons: [] });
    expect((await operate('POST', `/ops/screening/hits/${hit!.id}/clear`)).status).toBe(200);
    expect((await approve(id)).status).toBe(200);
    expect(await trader.request(getVerify)).toMatchObject({ status: 2 });
  });

  it('TRE-100 identities that are verified already are compared again when a list changes, one that cannot be read stops no other', async () => {
    const { screening } = exchange.doors.screening;
    const broken = await submitted({ name: 'Nadia Broken', idCard: 'BROKEN 1' });
    const { id, trader } = await submitted({ name: 'Later Listed', idCard: 'LATER 1' });
    for (const submission of [broken.id, id]) expect((await approve(submission)).status).toBe(200);
    await screening.continueComparing();
    const hitsOf = async () =>
      ((await operate('GET', '/ops/screening/hits')).body['hits'] as { id: string; owner: string }[]).filter(
        ({ owner }) => owner === trader.id,
      );
    expect(await hitsOf()).toEqual([]);
    expect(await screening.mayWithdraw(trader.id)).toBe(true);
    const { rows } = await exchange.database.pool.query('select sealed from kyc_submission where id = $1', [
      broken.id,
    ]);
    const seal = (sealed: unknown) =>
      exchange.database.pool.query('update kyc_submission set sealed = $2 where id = $1', [
        broken.id,
        sealed,
      ]);
    await seal(Buffer.from('broken'));
    writeFileSync(join(lists, 'new.txt'), 'LISTED, Later\n');
    await screening.importLists();
    await screening.continueComparing();
    expect(await hitsOf()).toMatchObject([{ subject: id, subjectKind: 'identity', list: 'new.txt' }]);
    expect(await screening.mayWithdraw(trader.id)).toBe(false);
    expect((await exchange.doors.screening.health()).facts?.['comparedAgain']).toMatch(/^identities: \d+$/);
    expect(exchange.log.lines.some(({ event }) => event === 'kyc.not_compared')).toBe(true);
    await seal(rows[0].sealed);
    // A sanctions hit that an operator cleared stays cleared until the list that it is about changes.
    const [hit] = await hitsOf();
    expect((await operate('POST', `/ops/screening/hits/${hit!.id}/clear`)).status).toBe(200);
    writeFileSync(join(lists, 'new.txt'), 'LISTED, Later\nSOMEBODY, Else\n');
    await screening.importLists();
    await screening.continueComparing();
    expect(await hitsOf()).toEqual([]);
  });

  it('KYC-001 KYC-004 KYC-009 KYC-010 a new user submits, is reviewed and verified, and may buy', async () => {
    const trader = await exchange.aUser();
    const unverified = await trader.request(getVerify);
    expect(unverified).toMatchObject({ status: 0, level: 0, limits: { day: '0' }, name: '', reasons: [] });
    expect(await trader.call(buyFinance, {})).toMatchObject({ code: -1 });
    const fields = { ...ADA, ...(await photos(trader)) };
    await trader.request(submitVerify, fields);
    expect(await trader.request(getVerify)).toMatchObject({
      status: 1,
      name: 'A***',
      idCard: 'LO*******12',
      country: 'GB',
    });
    expect(await trader.request(userInfo)).toMatchObject({
      kycStatus: 1,
      level: 0,
      name: 'A***',
      idCard: 'LO*******12',
    });
    const id = await waitingOf(trader);
    expect(await exchange.doors.kyc.kyc.countryOf(trader.id)).toBeUndefined();
    expect((await approve(id)).status).toBe(200);
    expect(await exchange.doors.kyc.kyc.countryOf(trader.id)).toBe('GB');
    expect(await trader.request(getVerify)).toMatchObject({
      status: 2,
      level: 2,
      limits: { day: '50000', month: '750000' },
    });
    expect(await trader.request(userInfo)).toMatchObject({ kycStatus: 2, level: 2 });
    expect(await exchange.doors.kyc.kyc.limitsOf(trader.id)).toMatchObject({ level: 2 });
    expect((await trader.request(messagePage)).list[0]).toMatchObject({ title: 'Identity verified' });
    const again = await trader.call(submitVerify, { ...fields, clientId: 'again' });
    expect(again).toMatchObject({ code: -10, errKey: 'l.kyc_verified' });
  });

  it('KYC-660 a reviewer must have viewed the data, front and back of the submission; other operators’ views do not count', async () => {
    const { id, trader } = await submitted({ idCard: 'OPENED-1' });
    const otherSubmission = await submitted({ idCard: 'OPENED-2' });
    await openAll(otherSubmission.id);
    const refusalOf = async (verb: 'approve' | 'reject', fields = {}) => {
      const { status, body } = await decideUnopened(id, verb, fields);
      expect([status, body['key']]).toEqual([400, 'l.kyc_not_opened']);
      return body['error'] as string;
    };
    expect(await refusalOf('approve')).toMatch(/Not opened: data, front, back/);
    await refusalOf('reject', { cause: 'expired' });
    const { submission } = (await operate('GET', `/ops/kyc/submissions/${id}`)).body as {
      submission: Record<string, string>[];
    };
    expect(await refusalOf('approve')).toMatch(/Not opened: front, back/);
    expect((await operate('GET', submission[0]!['front']!)).type).toBe('image/jpeg');
    expect(await refusalOf('approve')).toMatch(/Not opened: back/);
    expect((await operate('POST', `/ops/kyc/submissions/${id}/approve/check`)).body).toMatchObject({
      key: 'l.kyc_not_opened',
    });
    expect((await operate('GET', submission[0]!['back']!)).type).toBe('image/jpeg');
    // A decision by two operators requires that each of them has viewed every part of the submission.
    await expect(
      exchange.doors.kyc.review.decide(
        id,
        { status: 2 },
        { by: 'owner, approved by approver', persons: ['owner', 'approver'] },
      ),
    ).rejects.toThrow('l.kyc_not_opened');
    expect(await trader.request(getVerify)).toMatchObject({ status: 1 });
    expect((await decideUnopened(id, 'approve')).status).toBe(200);
    expect(await trader.request(getVerify)).toMatchObject({ status: 2 });
    await approve(otherSubmission.id);
  });

  it('KYC-004 stored data contains neither name nor number in plain text', async () => {
    const { id } = await submitted({ name: 'Unmistakable Person', idCard: 'UNMISTAKABLE-1' });
    const { rows } = await exchange.database.pool.query<{ row: string }>(
      `select encode(sealed, 'escape') || kyc_submission::text as row from kyc_submission where id = $1`,
      [id],
    );
    expect(rows[0]!.row).not.toMatch(/unmistakable/i);
    await approve(id);
  });

  it('KYC-003 KYC-001 every invalid field is refused with its own message, and nothing is stored', async () => {
    const trader = await exchange.aUser();
    const good = { ...ADA, ...(await photos(trader)) };
    const stranger = await exchange.aUser();
    const foreign = await photos(stranger);
    const proof = (await uploaded(trader, 'proof', '#fe0101')).id;
    const cases: [Partial<typeof good>, string, string][] = [
      [{ name: '1234' }, 'l.kyc_name_format', 'name'],
      [{ name: '' }, 'l.kyc_name_required', 'name'],
      [{ country: 'XX' }, 'l.kyc_country_required', 'country'],
      [{ idCard: '1' }, 'l.kyc_number_format', 'idCard'],
      [{ country: 'CN', idCard: '110105194912310021' }, 'l.kyc_number_cn_check', 'idCard'],
      [{ idCardPhotoPositive: '' }, 'l.kyc_front_required', 'idCardPhotoPositive'],
      [{ idCardPhotoReverseSide: '' }, 'l.kyc_back_required', 'idCardPhotoReverseSide'],
    ];
    for (const [change, errKey, field] of cases)
      expect(await trader.call(submitVerify, { ...good, ...change })).toMatchObject({
        code: -1,
        errKey,
        data: { field },
      });
    for (const id of [foreign.idCardPhotoPositive, proof, '00000000-0000-7000-8000-000000000000'])
      expect(await trader.call(submitVerify, { ...good, idCardPhotoPositive: id })).toMatchObject({
        errKey: 'l.file_unknown',
      });
    expect(await trader.request(getVerify)).toMatchObject({ status: 0, name: '' });
    // The refused submissions did not use up the pictures, so a correct submission can contain them.
    expect((await trader.call(submitVerify, good)).code).toBe(1);
    await approve(await waitingOf(trader));
  });

  it('KYC-005 of many parallel submissions one is stored; repeating its key returns the same answer', async () => {
    const trader = await exchange.aUser();
    const fields = { ...ADA, idCard: 'RACE-1815', ...(await photos(trader)) };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        trader.call(submitVerify, { ...fields, clientId: `race-${n % 6}` }),
      ),
    );
    const served = answers.filter(({ code }) => code === 1);
    expect(served.length).toBeGreaterThanOrEqual(1);
    expect(served.length).toBeLessThanOrEqual(2);
    for (const { code, errKey } of answers) expect(code === 1 || errKey === 'l.kyc_reviewing').toBe(true);
    const { rows } = await exchange.database.pool.query('select 1 from kyc_submission where owner = $1', [
      trader.id,
    ]);
    expect(rows).toHaveLength(1);
    await approve(await waitingOf(trader));
  });

  it('KYC-680 sanctions and risk are stored internally; the owner sees only a review, without a note', async () => {
    for (const cause of ['sanctions', 'risk']) {
      const { trader, id } = await submitted({ idCard: `INSIDE-${cause}` });
      expect((await reject(id, { cause, note: 'the list names you' })).body).toMatchObject({
        key: 'l.kyc_note_internal',
        field: 'note',
      });
      expect(
        (
          await decideUnopened(id, 'reject', {
            cause,
            alsoCause: 'expired',
            reason: 'the list names them',
          })
        ).status,
      ).toBe(200);
      const { rows } = await exchange.database.pool.query(
        'select reasons from kyc_submission where id = $1',
        [id],
      );
      expect(rows).toEqual([{ reasons: [cause, 'expired'] }]);
      const standing = await trader.request(getVerify);
      expect(standing).toMatchObject({ status: 3, reasons: ['review'], note: '' });
      const mails = await fetch(`${exchange.url}/dev/mail?to=${encodeURIComponent(trader.email)}`);
      const outside = [standing, await trader.request(messagePage), await mails.text()];
      expect(outside[2]).toContain('after our review');
      expect(JSON.stringify(outside)).not.toMatch(/sanction|risk|the list names|expired/i);
    }
  });

  it('KYC-681 a preview refuses decided submissions and documents that are verified for another account', async () => {
    const [first, second] = [
      await submitted({ idCard: 'PREVIEW-1' }),
      await submitted({ idCard: 'preview-1' }),
    ];
    expect((await approve(first.id)).status).toBe(200);
    const previewOf = async (id: string) =>
      (await operate('POST', `/ops/kyc/submissions/${id}/approve/check`)).body['key'];
    expect(await previewOf(first.id)).toBe('l.kyc_decided');
    await openAll(second.id);
    expect(await previewOf(second.id)).toBe('l.kyc_document_taken');
    await reject(second.id, { cause: 'usedElsewhere' });
  });

  it('KYC-006 KYC-001 a rejection shows its reasons, keeps correct fields, and allows a new submission after ten minutes', async () => {
    const { trader, fields, id } = await submitted({ idCard: 'REJECT-1' });
    expect((await reject(id, { cause: 'nonsense' })).body).toMatchObject({ key: 'l.field_choice' });
    const decided = await reject(id, {
      cause: 'backUnreadable',
      alsoCause: 'nameDiffers',
      note: 'Glare on the photo',
    });
    expect(decided.status).toBe(200);
    const standing = await trader.request(getVerify);
    expect(standing).toMatchObject({
      status: 3,
      reasons: ['backUnreadable', 'nameDiffers'],
      note: 'Glare on the photo',
      fields: ['name', 'idCardPhotoReverseSide'],
    } satisfies Partial<DataOf<typeof getVerify>>);
    expect(await trader.request(userInfo)).toMatchObject({ kycStatus: 3, level: 0 });
    expect((await trader.request(messagePage)).list[0]).toMatchObject({ title: 'Identity not verified yet' });
    const mails = await fetch(`${exchange.url}/dev/mail?to=${encodeURIComponent(trader.email)}`);
    expect(await mails.text()).toContain('Glare on the photo');
    const { idCardPhotoReverseSide } = await photos(trader);
    const resubmission = { name: 'Augusta Ada King', idCardPhotoReverseSide };
    expect(await trader.call(submitVerify, resubmission)).toMatchObject({
      code: -9,
      errKey: 'l.kyc_wait',
      data: { minutes: '10' },
    });
    await exchange.advanceTime(10 * MINUTE_MS);
    expect(await trader.call(submitVerify, { name: resubmission.name })).toMatchObject({
      errKey: 'l.kyc_back_required',
    });
    expect((await trader.call(submitVerify, resubmission)).code).toBe(1);
    const second = await waitingOf(trader);
    const { submission } = (await operate('GET', `/ops/kyc/submissions/${second}`)).body as {
      submission: Record<string, string>[];
    };
    expect(submission[0]).toMatchObject({
      name: resubmission.name,
      idCard: 'REJECT-1',
      country: fields.country,
    });
    expect((await approve(second)).status).toBe(200);
    expect((await trader.request(getVerify)).status).toBe(2);
  });

  it('KYC-001 accepts five submissions within 24 hours', async () => {
    const { trader, fields, id } = await submitted({ idCard: 'FIVE-5' });
    await reject(id, { cause: 'nameDiffers' });
    for (let n = 2; n <= 5; n += 1) {
      await exchange.advanceTime(10 * MINUTE_MS);
      await trader.request(submitVerify, { name: fields.name });
      await reject(await waitingOf(trader), { cause: 'nameDiffers' });
    }
    await exchange.advanceTime(10 * MINUTE_MS);
    expect(await trader.call(submitVerify, { name: fields.name })).toMatchObject({
      code: -9,
      errKey: 'l.kyc_day',
      data: { limit: '5' },
    });
    await exchange.advanceTime(DAY_MS);
    expect((await trader.call(submitVerify, { name: fields.name })).code).toBe(1);
    await reject(await waitingOf(trader), { cause: 'nameDiffers' });
  });

  it('KYC-007 TRE-113 pictures are shown once, only to the operator who opened them, with a watermark, and every view is recorded', async () => {
    const { trader, id } = await submitted({ idCard: 'LOOK-11' });
    const opened = async () =>
      ((await operate('GET', `/ops/kyc/submissions/${id}`)).body as { submission: Record<string, string>[] })
        .submission[0]!;
    const { front, back, name, idCard } = await opened();
    expect({ name, idCard }).toEqual({ name: ADA.name, idCard: 'LOOK-11' });
    const picture = await operate('GET', front!);
    expect(picture).toMatchObject({ status: 200, type: 'image/jpeg' });
    // The uploaded picture has only one colour, so any other colour in the result belongs to the watermark.
    const { channels } = await sharp(picture.bytes).stats();
    expect(channels[0]!.stdev).toBeGreaterThan(5);
    const { rows: viewed } = await exchange.database.pool.query<{ parameters: string }>(
      `select parameters from operator_audit where action = 'GET /ops/kyc/evidence/:token' and event = 'seen'
       order by sequence desc limit 1`,
    );
    expect(JSON.parse(viewed[0]!.parameters)).toMatchObject({ owner: trader.id });
    expect((await operate('GET', front!)).body).toMatchObject({ key: 'l.kyc_link_used' });
    const elsewhere = await exchange.doors.kyc.review
      .picture(back!.split('/').at(-1)!, 'Mallory')
      .catch(String);
    expect(elsewhere).toContain('l.kyc_link_used');
    expect(await operate('GET', back!)).toMatchObject({ status: 200, type: 'image/jpeg' });
    const expiredLink = (await opened()).back!;
    await exchange.advanceTime(5 * MINUTE_MS + SECOND_MS);
    expect((await operate('GET', expiredLink)).body).toMatchObject({ key: 'l.kyc_link_used' });
    const { looks } = (await operate('GET', '/ops/kyc/looks')).body as {
      looks: { submission: string; what: string }[];
    };
    expect(looks.filter(({ submission }) => submission === id).map(({ what }) => what)).toEqual([
      'data',
      'back',
      'front',
      'data',
    ]);
    await expect(exchange.database.pool.query('delete from kyc_look')).rejects.toThrow(/append-only/);
    expect((await fetch(exchange.consoleUrl + expiredLink)).status).toBe(401);
    await approve(await waitingOf(trader));
  });

  it('KYC-008 of parallel decisions one succeeds, and a document verifies one account', async () => {
    const [firstSubmission, secondSubmission] = [
      await submitted({ idCard: 'SAME-100' }),
      await submitted({ idCard: 'same-100' }),
    ];
    const { submissions } = (await operate('GET', '/ops/kyc/submissions')).body as {
      submissions: { id: string; sameDocument: number }[];
    };
    expect(submissions.find(({ id }) => id === firstSubmission.id)).toMatchObject({ sameDocument: 1 });
    const decided = await Promise.all([
      ...Array.from({ length: 5 }, () => approve(firstSubmission.id)),
      ...Array.from({ length: 5 }, () => reject(firstSubmission.id, { cause: 'expired' })),
    ]);
    expect(decided.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of decided)
      expect(status === 200 || body['key'] === 'l.kyc_decided').toBe(true);
    const { trader } = firstSubmission;
    if ((await trader.request(getVerify)).status === 3) {
      await exchange.advanceTime(10 * MINUTE_MS);
      await trader.request(submitVerify, await photos(trader));
      await approve(await waitingOf(trader));
    }
    expect((await approve(secondSubmission.id)).body).toMatchObject({ key: 'l.kyc_document_taken' });
    await reject(secondSubmission.id, { cause: 'usedElsewhere' });
    expect((await secondSubmission.trader.request(getVerify)).status).toBe(3);
  });

  it('KYC-014 of accounts verified concurrently with one document one succeeds, and the others are refused', async () => {
    const submissions: { id: string; trader: TestTrader }[] = [];
    for (const idCard of ['AT-ONCE-1', 'at-once-1', 'At-Once-1'])
      submissions.push(await submitted({ idCard }));
    const { pool } = exchange.database;
    const lockConnection = await pool.connect();
    const waiting = async () => {
      const { rows } = await lockConnection.query<{ count: number }>(
        "select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows[0]!.count;
    };
    // Locks the rows of the submissions, so that all requests read them before the first request changes one.
    await lockConnection.query('begin');
    await lockConnection.query('select 1 from kyc_submission where id = any($1) for update', [
      submissions.map(({ id }) => id),
    ]);
    const deciding = Promise.allSettled(
      submissions.map(({ id }, at) =>
        exchange.doors.kyc.review.decide(id, { status: 2 }, { by: `operator ${at}`, persons: [] }),
      ),
    );
    while ((await waiting()) < submissions.length) await new Promise((resolve) => setTimeout(resolve, 10));
    await lockConnection.query('commit');
    lockConnection.release();
    const refused = (await deciding).flatMap((outcome) =>
      outcome.status === 'rejected' ? [String(outcome.reason)] : [],
    );
    expect(refused).toEqual([
      expect.stringContaining('l.kyc_document_taken'),
      expect.stringContaining('l.kyc_document_taken'),
    ]);
    const states = await Promise.all(
      submissions.map(async ({ trader }) => (await trader.request(getVerify)).status),
    );
    expect(states.toSorted((left, right) => left - right)).toEqual([1, 1, 2]);
    for (const { id } of submissions.filter((_, at) => states[at] === 1))
      await reject(id, { cause: 'usedElsewhere' });
  });

  it('KYC-860 KYC-861 KYC-862 a document verifies one account in any spelling, and similar ones are shown with the other account', async () => {
    const first = await submitted({ idCard: 'HYPHEN-44X7' });
    expect((await approve(first.id)).status).toBe(200);
    for (const idCard of ['HYPHEN44X7', 'H-Y-P-H-E-N-44X7', 'hyphen 44x7-']) {
      const { id } = await submitted({ idCard });
      expect((await approve(id)).body).toMatchObject({ key: 'l.kyc_document_taken' });
      await reject(id, { cause: 'usedElsewhere' });
    }
    const uid = (await first.trader.request(userInfo)).uid;
    const near = [
      ['HYPHEN44X7', 'ES', 'same number, other country'],
      ['00HYPHEN44X70', 'GB', 'look-alike or zeros'],
      ['HYPHEN4X47', 'GB', 'two characters swapped'],
      ['HYPHEN44X9', 'GB', 'one character differs'],
    ] as const;
    for (const [idCard, country, match] of near) {
      const { id } = await submitted({ idCard, country });
      const { submissions } = (await operate('GET', '/ops/kyc/submissions')).body as {
        submissions: { id: string; similarDocuments: number }[];
      };
      expect(submissions.find((row) => row.id === id)?.similarDocuments).toBeGreaterThan(0);
      const { similar } = (await operate('GET', `/ops/kyc/submissions/${id}/similar`)).body as {
        similar: Record<string, unknown>[];
      };
      expect(similar.find((row) => row['uid'] === uid)).toMatchObject({
        user: first.trader.id,
        match,
        status: 'verified',
        country: 'GB',
      });
      expect(JSON.stringify(similar)).not.toMatch(/44X7/);
      await reject(id, { cause: 'usedElsewhere' });
    }
  });

  it('KYC-863 outdated fingerprints are renewed, and accounts that share a document stay verified', async () => {
    // Resets the hashes of these submissions to those of the previous version of the software, in which two
    // spellings of one document number had different hashes.
    const resetFingerprints = (ids: readonly string[]) =>
      exchange.database.pool.query(
        `update kyc_submission set fingerprint_version = 1, near_keys = '{}', number_key = null, name_keys = '{}',
           document_hash = sha256(convert_to('old ' || id, 'UTF8')) where id = any($1)`,
        [ids],
      );
    const firstSubmission = await submitted({ idCard: 'OLD-77Q1' });
    expect((await approve(firstSubmission.id)).status).toBe(200);
    await resetFingerprints([firstSubmission.id]);
    await exchange.database.pool.query('update kyc_submission set fingerprint_version = 3');
    const secondSubmission = await submitted({ idCard: 'OLD77-Q1' });
    expect((await approve(secondSubmission.id)).status).toBe(200);
    await resetFingerprints([firstSubmission.id, secondSubmission.id]);
    const thirdSubmission = await submitted({ idCard: 'OLD77Q1' });
    expect((await approve(thirdSubmission.id)).body).toMatchObject({ key: 'l.kyc_document_taken' });
    await reject(thirdSubmission.id, { cause: 'usedElsewhere' });
    const { rows: left } = await exchange.database.pool.query(
      'select 1 from kyc_submission where fingerprint_version < 3 or number_key is null',
    );
    expect(left).toEqual([]);
    for (const { trader } of [firstSubmission, secondSubmission])
      expect((await trader.request(getVerify)).status).toBe(2);
  });

  it('OPS-1142 OPS-1146 a person is found by the document number and by the name, through keyed hashes, and the log masks what was typed', async () => {
    const { trader, id } = await submitted({ idCard: 'FIND-88 K1', name: 'José Ángel Quispe' });
    const find = async (query: string) => {
      const path = `/ops/search?${new URLSearchParams({ query }).toString()}`;
      const { found } = (await (await operateAs(exchange, 'owner', path)).json()) as {
        found: { kind: string; to: string }[];
      };
      return found.filter(({ kind }) => kind === 'identity').map(({ to }) => to);
    };
    const hit = [`users/${trader.id}?record=identity.${id}`];
    for (const query of [
      'find88k1',
      'ＦＩＮＤ－８８Ｋ１',
      'quispe jose angel',
      'JOSE QUISPE',
      'joseangelquispe',
    ])
      expect([query, await find(query)]).toEqual([query, hit]);
    for (const query of ['FIND88K2', 'FIND88', 'Jose Mamani'])
      expect([query, await find(query)]).toEqual([query, []]);
    const { rows } = await exchange.database.pool.query<{ text: string }>(
      `select fields || result as text from operator_audit where action = 'GET /ops/search'`,
    );
    expect(rows.filter(({ text }) => /88k|find-|quispe|jose/i.test(text))).toEqual([]);
    expect(rows.some(({ text }) => text.includes(trader.id))).toBe(true);
    await reject(id, { cause: 'unreadable' });
  });

  it('KYC-011 photos are erased 180 days after the decision, and not before', async () => {
    const { id, fields } = await submitted({ idCard: 'ERASE-180' });
    await approve(id);
    const { files, kyc } = exchange.doors;
    await exchange.advanceTime(179 * DAY_MS);
    await kyc.review.erasePhotos();
    expect(await files.read(fields.idCardPhotoPositive)).toBeInstanceOf(Buffer);
    await exchange.advanceTime(DAY_MS + SECOND_MS);
    await kyc.review.erasePhotos();
    expect(await files.read(fields.idCardPhotoPositive)).toBeUndefined();
  });

  it('KYC-012 the demo’s simulated reviewer decides after ten seconds, and rejects one file sent as both sides', async () => {
    const { trader } = await submitted({ idCard: 'DEMO-10' });
    const careless = await exchange.aUser();
    const picture = await aPicture('#abcdef');
    const uploads = [
      await upload(careless, 'identity', picture),
      await upload(careless, 'identity', picture),
    ];
    const [idCardPhotoPositive, idCardPhotoReverseSide] = uploads.map(({ data }) => data.id) as [
      string,
      string,
    ];
    await careless.request(submitVerify, {
      ...ADA,
      idCard: 'DEMO-11',
      idCardPhotoPositive,
      idCardPhotoReverseSide,
    });
    const { reviewer } = exchange.doors.kyc;
    await reviewer.review();
    expect((await trader.request(getVerify)).status).toBe(1);
    await exchange.advanceTime(10 * SECOND_MS);
    await reviewer.review();
    expect((await trader.request(getVerify)).status).toBe(2);
    expect(await careless.request(getVerify)).toMatchObject({ status: 3, reasons: ['sameSide'] });
  });

  it('KYC-013 KYC-661 a demo creates invented applicants once, and leaves their decision to operators', async () => {
    const { kyc, identity } = exchange.doors;
    const demo = {
      trader: (await identity.ensureDemoTrader()).id,
      now: exchange.clock.now(),
      systemUser: (name: string) => identity.ensureSystemUser(name),
      person: (name: string, email: string) => identity.ensureDemoPerson(name, email),
      fund: () => Promise.resolve(),
      ...demoParts(),
    };
    await kyc.seed(demo);
    await kyc.seed(demo);
    await exchange.advanceTime(MINUTE_MS);
    await kyc.reviewer.review();
    const { submissions } = (await operate('GET', '/ops/kyc/submissions')).body as {
      submissions: { sameDocument: number; owner: string; uid: string }[];
    };
    expect(submissions.map(({ sameDocument }) => sameDocument)).toEqual([0, 0, 1, 1]);
    await exchange.doors.support.seed(demo);
    const { requests } = (await operate('GET', '/ops/support/requests')).body as {
      requests: { owner?: string; user?: string }[];
    };
    // KYC-661: every applicant in the review queue, and every author of a support request, has a user page in
    // the console, and the search finds an applicant by the start of the email address.
    const people = [
      ...submissions.map(({ owner }) => owner),
      ...requests.flatMap(({ owner, user }) => owner ?? user ?? []),
    ];
    expect(people.length).toBeGreaterThanOrEqual(4);
    for (const person of people)
      expect([person, (await operate('GET', `/ops/users/${person}`)).status]).toEqual([person, 200]);
    const { users } = (await operate('GET', '/ops/users?query=maria.sample')).body as {
      users: { user: string }[];
    };
    expect(users.map(({ user }) => user)).toContain(submissions[0]!.owner);
    // The system account that an older demo has for the applicant becomes the applicant's account and keeps its data.
    await exchange.database.pool.query(
      `update user_account set email = null, house_name = 'applicant-1' where id = $1`,
      [submissions[0]!.owner],
    );
    await kyc.seed(demo);
    expect((await operate('GET', `/ops/users/${submissions[0]!.owner}`)).status).toBe(200);
  });

  it('KEY-001 KEY-002 KEY-003 KEY-021 TRE-057 a rotated secret keeps identities, pictures, passwords and operators, and the old one opens nothing', async () => {
    const { dataDirectory, database } = exchange;
    const { trader, id } = await submitted({ idCard: 'ROTATE 1' });
    const first = await openServerSecret({ dataDirectory, mustExist: true });
    const passwordOf = async () => {
      const { rows } = await database.pool.query<{ password_hash: string }>(
        'select password_hash from user_account where id = $1',
        [trader.id],
      );
      return rows[0]!.password_hash;
    };
    const argonHash = decryptHash(first, await passwordOf());
    // Stores a travel-rule record that is encrypted as for a withdrawal with this id.
    const record = first.encrypt('travel rule', Buffer.from('a record'), `${id} ${trader.id}`);
    await database.pool.query(
      'insert into travel_rule_record (withdrawal, owner, sealed, created_at) values ($1, $2, $3, 0)',
      [id, trader.id, record],
    );
    await exchange.restart(() => replaceSecretFile(dataDirectory, first.rotated()));
    const both = await openServerSecret({ dataDirectory });
    const reencrypt = async (onProgress: () => void) => {
      const client = new pg.Client(clientOptions(database.connection, 'rotate-secret'));
      await client.connect();
      const files = new SealedStore(new LocalFileStore(join(dataDirectory, 'files')), both);
      try {
        return await reencryptAll({ client, secret: both, files, onProgress });
      } finally {
        await client.end();
      }
    };
    const stop = () => {
      throw new Error('the process ended');
    };
    await expect(reencrypt(stop)).rejects.toThrow('the process ended');
    const rest = await reencrypt(() => undefined);
    expect(rest).toMatchObject({ failures: [], failureCount: 0 });
    expect(rest.count).toBeGreaterThan(0);
    expect(await reencrypt(() => undefined)).toMatchObject({ count: 0, failureCount: 0 });
    // Less than 24 hours after the replacement of the signing key, `recentRotation` returns the time of the
    // replacement, so that a repeated command finishes that rotation instead of starting another one.
    const client = new pg.Client(clientOptions(database.connection, 'rotate-secret'));
    await client.connect();
    const now = exchange.clock.now();
    expect(await recentRotation(client, now)).toBeLessThanOrEqual(now);
    expect(await recentRotation(client, now + DAY_MS)).toBeUndefined();
    await client.end();

    await exchange.restart(() => replaceSecretFile(dataDirectory, both.withoutRetiring()));
    const second = await openServerSecret({ dataDirectory });
    expect(decryptHash(second, await passwordOf())).toBe(argonHash);
    const { rows: records } = await database.pool.query<{ sealed: Buffer }>(
      'select sealed from travel_rule_record where withdrawal = $1',
      [id],
    );
    expect(second.decrypt('travel rule', records[0]!.sealed, `${id} ${trader.id}`).toString()).toBe(
      'a record',
    );
    const stored = await passwordOf();
    expect(() => decryptHash(first, stored)).toThrow('which is not here');
    expect(stepIdSecret(second)).toEqual(stepIdSecret(first));
    expect(await trader.request(getVerify)).toMatchObject({ status: 1, name: 'A***' });
    expect((await approve(id)).status).toBe(200);
    await expect(
      readOpenedAs(database.connection).then((opened) =>
        requireSame(opened, { mode: 'demo', secretFingerprint: first.fingerprint }),
      ),
    ).rejects.toThrow('another server secret');

    const { keys } = await trader.request(proofKeys);
    expect(keys.map((key) => key.id)).toEqual([signingKeyOf(second).id, signingKeyOf(first).id]);
    expect(keysOf(keys).size).toBe(2);
    const forged = keys.map((key) => (key.handover ? { ...key, handover: { ...key.handover, at: 1 } } : key));
    expect(() => keysOf(forged)).toThrow('not signed');
  });
});
