import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UPLOADS_PER_DAY } from '@exchange/core/upload.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { ownFile, uploadFile } from '@exchange/wire/file.ts';
import { userInfo } from '@exchange/wire/user.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { requireNoErrors } from '../../../testing/crawls/raw-call.ts';
import { corpus, GPS, pngBomb, type CorpusFile } from './testing/corpus.ts';
import { uploadsUnderWay } from '../../platform/http/upload.ts';
import { aPicture, sendBody, upload, uploaded } from './testing/uploads.ts';

describe('uploaded pictures', () => {
  let exchange: TestExchange;
  let owner: TestTrader;

  beforeAll(async () => {
    exchange = await anExchange();
    owner = await exchange.aUser();
  });

  afterAll(() => exchange.close());

  const fetched = (trader: TestTrader | undefined, id: string) =>
    fetch(`${exchange.url}${API_BASE}${ownFile.path}?id=${id}`, {
      headers: trader === undefined ? {} : { 'x-access-token': trader.token },
    });
  const pictureOf = async (id: string) => Buffer.from(await (await fetched(owner, id)).arrayBuffer());
  const onDisk = () => {
    const root = join(exchange.dataDirectory, 'files');
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  };

  it('FILE-001 FILE-009 are answered with an id, a hash and a URL that only their owner can read', async () => {
    const picture = await aPicture('#123456');
    const { data } = await upload(owner, 'identity', picture);
    expect(data.hash).toBe(createHash('sha256').update(picture).digest('hex'));
    expect(data).toMatchObject({ width: 640, height: 420 });
    const answer = await fetch(exchange.url + data.url, { headers: { 'x-access-token': owner.token } });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': `attachment; filename="${data.id}.jpg"`,
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ format: 'jpeg' });
    const stranger = await exchange.aUser();
    expect(await (await fetched(stranger, data.id)).json()).toMatchObject({ errKey: 'l.not_found' });
    expect(await (await fetched(undefined, data.id)).json()).toMatchObject({ code: -2 });
    expect(await sendBody({ url: exchange.url, token: undefined }, new FormData())).toMatchObject({
      code: -2,
    });
  });

  it('FILE-002 FILE-003 of a corpus of files, only still pictures are accepted; each other file is refused with its reason', async () => {
    const files = await corpus();
    expect(files.length).toBeGreaterThanOrEqual(60);
    const before = onDisk().length;
    let sender = await exchange.aUser();
    const outcomes: [string, string][] = [];
    for (const [index, { name, content, fileName, type }] of files.entries()) {
      if (index % (UPLOADS_PER_DAY - 1) === UPLOADS_PER_DAY - 2) sender = await exchange.aUser();
      const { code, errKey, msg } = await upload(sender, 'identity', content, {
        ...(fileName === undefined ? {} : { name: fileName }),
        ...(type === undefined ? {} : { type }),
      });
      expect(msg).not.toMatch(/\{\{|vips|sharp|undefined/i);
      outcomes.push([name, code === 1 ? 'taken' : errKey!]);
    }
    expect(outcomes).toEqual(files.map(({ name, expected }: CorpusFile) => [name, expected]));
    const acceptedCount = files.filter(({ expected }) => expected === 'taken').length;
    expect(onDisk()).toHaveLength(before + acceptedCount);
    requireNoErrors(exchange);
  }, 120_000);

  it('FILE-941 whose decoder is killed are refused with a message and store nothing; the next upload succeeds', async () => {
    const sender = await exchange.aUser();
    const { pictures } = exchange.doors;
    await uploaded(sender, 'identity');
    const before = onDisk().length;
    const large = upload(sender, 'identity', pngBomb(6_300, 6_300));
    const victim = await eventually(() => {
      expect(pictures.isWorking).toBe(true);
      return pictures.pid!;
    });
    process.kill(victim, 'SIGKILL');
    expect(await large).toMatchObject({
      code: -1,
      errKey: 'l.file_failed',
      data: { field: 'file' },
    });
    expect(onDisk()).toHaveLength(before);
    expect((await upload(sender, 'identity', await aPicture())).code).toBe(1);
    expect(pictures.pid).not.toBe(victim);
    requireNoErrors(exchange);
  });

  it('FILE-940 sent ten at once are decoded one after another in one process, and all are stored', async () => {
    const senders = await Promise.all(Array.from({ length: 10 }, () => exchange.aUser()));
    await uploaded(senders[0]!, 'identity');
    const { starts } = exchange.doors.pictures;
    const before = onDisk().length;
    const colours = senders.map((_, n) => `#0${n}8050`);
    const uploads = await Promise.all(
      colours.map((colour) => aPicture(colour, { width: 2_000, height: 1_500 })),
    );
    const answers = await Promise.all(senders.map((sender, n) => upload(sender, 'identity', uploads[n]!)));
    expect(answers.map(({ code }) => code)).toEqual(senders.map(() => 1));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(10);
    expect(onDisk()).toHaveLength(before + 10);
    expect(exchange.doors.pictures.starts).toBe(starts);
  });

  it('FILE-940 beyond the queue limit are refused as busy and store nothing; a retry succeeds', async () => {
    const sender = await exchange.aUser();
    const { pictures, files } = exchange.doors;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const runningJob = pictures.run(() => released);
    const waiting = Array.from({ length: 30 }, () => pictures.run(() => Promise.resolve()));
    const before = onDisk().length;
    const picture = await aPicture('#0f0f0f');
    await expect(files.upload(sender.id, 'identity', picture)).rejects.toThrow('l.busy');
    expect(onDisk()).toHaveLength(before);
    release();
    await Promise.all([runningJob, ...waiting]);
    expect((await files.upload(sender.id, 'identity', picture)).width).toBe(640);
  });

  it('FILE-944 are decoded by no module of the server itself', () => {
    const source = fileURLToPath(new URL('../../', import.meta.url));
    const importers = readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.test)\.(?:ts|mjs)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes('/testing/'))
      .filter((path) => /from '(?:sharp)'|import\('sharp'\)/.test(readFileSync(path, 'utf8')));
    expect(importers.map((path) => basename(path))).toEqual(['picture-process.mjs']);
  });

  it('FILE-004 are stored without metadata and upright', async () => {
    const blueHalf = { create: { width: 300, height: 420, channels: 3 as const, background: '#0000ff' } };
    const uploads = await sharp({ create: { width: 640, height: 420, channels: 3, background: '#ff0000' } })
      .composite([{ input: blueHalf, left: 0, top: 0 }])
      .withExif(GPS)
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(uploads.includes('SECRETPHONE')).toBe(true);
    const { data } = await upload(owner, 'identity', uploads);
    const storedPicture = await pictureOf(data.id);
    const metadata = await sharp(storedPicture).metadata();
    expect(metadata).toMatchObject({ width: 420, height: 640 });
    for (const trace of ['exif', 'icc', 'xmp', 'iptc', 'orientation', 'comments'] as const)
      expect(metadata[trace], trace).toBeUndefined();
    expect(storedPicture.includes('SECRET')).toBe(false);
    // The stored picture is rotated as the EXIF orientation of the uploaded picture states, so the left side
    // of the uploaded picture is now at the top.
    const top = await sharp(storedPicture).extract({ left: 0, top: 0, width: 420, height: 200 }).toBuffer();
    const { dominant } = await sharp(top).stats();
    expect(dominant.b).toBeGreaterThan(dominant.r);
  });

  it('FILE-005 are stored encrypted; changed bits or another file’s content cannot be decrypted', async () => {
    const [firstId, secondId] = [
      await uploaded(owner, 'identity', '#aa0000'),
      await uploaded(owner, 'identity', '#00aa00'),
    ];
    const pathOf = (id: string) => onDisk().find((path) => path.endsWith(id))!;
    const content = readFileSync(pathOf(firstId.id));
    expect(content.includes('JFIF')).toBe(false);
    expect(content.subarray(0, 3)).not.toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    writeFileSync(pathOf(firstId.id), readFileSync(pathOf(secondId.id)));
    expect((await fetched(owner, firstId.id)).status).toBe(500);
    const bent = Buffer.from(content);
    bent[100]! ^= 1;
    writeFileSync(pathOf(firstId.id), bent);
    expect((await fetched(owner, firstId.id)).status).toBe(500);
    writeFileSync(pathOf(firstId.id), content);
    expect((await fetched(owner, firstId.id)).status).toBe(200);
    exchange.log.lines.length = 0;
  });

  it('FILE-006 in malformed bodies are refused with a message, and the next call is served', async () => {
    const sender = await exchange.aUser();
    const jpeg = await aPicture('#777777');
    const bodyPart = (head: string, content: Buffer | string = jpeg) =>
      Buffer.concat([Buffer.from(`--b\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
    const file = (name = 'file') =>
      bodyPart(
        `content-disposition: form-data; name="${name}"; filename="a.jpg"\r\ncontent-type: image/jpeg`,
      );
    const purpose = bodyPart('content-disposition: form-data; name="purpose"', 'identity');
    const end = Buffer.from('--b--\r\n');
    const type = 'multipart/form-data; boundary=b';
    const manyParts = Array.from({ length: 1_000 }, (_, n) =>
      bodyPart(`content-disposition: form-data; name="f${n}"`, '1'),
    );
    const bodies: [string, Buffer | string, string, string][] = [
      ['a form', 'purpose=identity', 'application/x-www-form-urlencoded', 'l.body_multipart'],
      ['JSON', '{}', 'application/json', 'l.body_multipart'],
      ['a picture alone', jpeg, 'image/jpeg', 'l.body_multipart'],
      ['no boundary', Buffer.concat([purpose, file(), end]), 'multipart/form-data', 'l.body_multipart'],
      [
        'another boundary',
        Buffer.concat([purpose, file(), end]),
        'multipart/form-data; boundary=c',
        'l.body_multipart',
      ],
      ['no end', Buffer.concat([purpose, file()]), type, 'l.body_multipart'],
      ['an end within the file', Buffer.concat([purpose, file().subarray(0, 300)]), type, 'l.body_multipart'],
      ['no file', Buffer.concat([purpose, end]), type, 'l.file_required'],
      ['two files', Buffer.concat([purpose, file(), file(), end]), type, 'l.file_single'],
      ['a file of another name', Buffer.concat([purpose, file('proof'), end]), type, 'l.file_single'],
      ['a thousand parts', Buffer.concat([...manyParts, file(), end]), type, 'l.file_single'],
      ['a purpose twice', Buffer.concat([purpose, purpose, file(), end]), type, 'l.field_repeated'],
      ['no purpose', Buffer.concat([file(), end]), type, 'l.field_choice'],
      [
        'a prototype',
        Buffer.concat([bodyPart('content-disposition: form-data; name="__proto__"', '1'), file(), end]),
        type,
        'l.body_multipart',
      ],
      [
        'an endless field',
        Buffer.concat([
          bodyPart('content-disposition: form-data; name="purpose"', 'x'.repeat(9_000)),
          file(),
          end,
        ]),
        type,
        'l.body_multipart',
      ],
      [
        'a NUL',
        Buffer.concat([bodyPart('content-disposition: form-data; name="purpose"', 'a\0b'), file(), end]),
        type,
        'l.body_encoding',
      ],
      [
        'a file without a name',
        Buffer.concat([purpose, bodyPart('content-disposition: form-data; name="file"', 'abc'), end]),
        type,
        'l.file_required',
      ],
    ];
    const outcomes: [string, string | undefined][] = [];
    for (const [name, body, bodyType] of bodies)
      outcomes.push([
        name,
        (await sendBody({ url: exchange.url, token: sender.token }, body, bodyType)).errKey,
      ]);
    expect(outcomes).toEqual(bodies.map(([name, , , key]) => [name, key]));
    expect((await upload(sender, 'identity', jpeg)).code).toBe(1);
    expect((await sender.call(userInfo)).code).toBe(1);
    requireNoErrors(exchange);
  });

  it('FILE-007 are limited per day, counting refused ones', async () => {
    const sender = await exchange.aUser();
    const tiny = Buffer.from('none');
    for (let n = 0; n < UPLOADS_PER_DAY; n += 1)
      expect((await upload(sender, 'identity', tiny)).errKey).toBe('l.file_type');
    const oneTooMany = await upload(sender, 'identity', await aPicture());
    expect(oneTooMany).toMatchObject({
      code: -9,
      errKey: 'l.file_day',
      data: { limit: String(UPLOADS_PER_DAY) },
    });
    await exchange.advanceTime(DAY_MS);
    expect((await upload(sender, 'identity', await aPicture())).code).toBe(1);
  });

  it('FILE-011 are queued up to three per user, without delaying other users', async () => {
    const [slowUser, otherUser] = await Promise.all([exchange.aUser(), exchange.aUser()]);
    const body = Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nidentity\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    );
    const open = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(Number(new URL(exchange.url).port), '127.0.0.1');
        const head = [
          `POST ${API_BASE}${uploadFile.path} HTTP/1.1`,
          `host: ${new URL(exchange.url).host}`,
          `x-access-token: ${slowUser.token}`,
          'content-type: multipart/form-data; boundary=x',
          `content-length: ${body.length + 1_000}`,
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(body);
        await once(socket, 'connect');
        return socket;
      }),
    );
    const picture = await aPicture();
    await eventually(() => expect(uploadsUnderWay(slowUser.id)).toBe(3));
    expect((await upload(slowUser, 'identity', picture)).errKey).toBe('l.busy');
    expect((await upload(otherUser, 'identity', picture)).code).toBe(1);
    open[0]!.destroy();
    await eventually(() => expect(uploadsUnderWay(slowUser.id)).toBe(2));
    expect((await upload(slowUser, 'identity', picture)).code).toBe(1);
    for (const socket of open) socket.destroy();

    const ended: string[] = [];
    const large = pngBomb(6_300, 6_300);
    const { files } = exchange.doors;
    const slowUploads = [1, 2, 3, 4, 5, 6].map(async (n) => {
      await files.upload(slowUser.id, 'identity', large);
      ended.push(`slow ${n}`);
    });
    await Promise.race(slowUploads);
    const fastUpload = files.upload(otherUser.id, 'identity', picture).then(() => ended.push('other'));
    await Promise.all([...slowUploads, fastUpload]);
    expect(ended.indexOf('other')).toBeLessThan(4);
  });

  it('FILE-008 are claimed once, by their owner and for their purpose; unclaimed ones are erased', async () => {
    const { files, database } = exchange.doors;
    const [claimedId, unclaimedId] = [
      await uploaded(owner, 'proof', '#010203'),
      await uploaded(owner, 'proof', '#010204'),
    ];
    const stranger = await exchange.aUser();
    const claim = (id: string, change: object = {}) =>
      database.transaction((tx) =>
        files.claim(tx, [id], { owner: owner.id, purpose: 'proof', about: 'deposit 1', ...change }),
      );
    for (const change of [{ owner: stranger.id }, { purpose: 'identity' }])
      await expect(claim(claimedId.id, change)).rejects.toMatchObject({ refusal: { key: 'l.file_unknown' } });
    expect(await claim(claimedId.id)).toMatchObject([
      { id: claimedId.id, hash: claimedId.hash, isRepeated: false },
    ]);
    expect(await claim(claimedId.id)).toHaveLength(1);
    await expect(claim(claimedId.id, { about: 'deposit 2' })).rejects.toThrow('l.file_unknown');
    const again = await uploaded(stranger, 'proof', '#010203');
    const [repeated] = await claim(again.id, { owner: stranger.id, about: 'deposit 3' });
    expect(repeated).toMatchObject({ isRepeated: true });
    await exchange.advanceTime(DAY_MS + 60_000);
    await files.cleanUp();
    expect(await files.read(claimedId.id)).toBeInstanceOf(Buffer);
    expect(await files.read(unclaimedId.id)).toBeUndefined();
    expect(onDisk().some((path) => path.endsWith(unclaimedId.id))).toBe(false);
    await database.transaction((tx) => files.remove(tx, [claimedId.id]));
    expect(await files.read(claimedId.id)).toBeUndefined();
    await files.cleanUp();
    expect(onDisk().some((path) => path.endsWith(claimedId.id))).toBe(false);
  });
});
