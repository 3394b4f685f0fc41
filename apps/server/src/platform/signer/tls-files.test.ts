import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DAY_MS, instant, MINUTE_MS } from '@exchange/core/time.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ANVIL_CHAIN } from '../../../testing/anvil.ts';
import { freePort } from '../../../testing/free-port.ts';
import { aSigner } from '../../../testing/test-signer.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { SignerCertificates } from '../../modules/chains/signer-certificates.ts';
import { SignerClient } from './client.ts';
import { tlsFilesOf, type TlsFiles } from '@exchange/core/signer-place.ts';
import { certificateEnds } from './tls-files.ts';

const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const RUNBOOK = readFileSync(
  fileURLToPath(new URL('../../../../../docs/runbook.md', import.meta.url)),
  'utf8',
);
const FIND = { kind: 'find', origin: 'withdrawal 1', chainId: ANVIL_CHAIN } as const;
const NOTHING = { signed: [], isVoided: false };
const CA_CONFIG = `[ca]
default_ca = own
[own]
new_certs_dir = .
database = index
serial = serial
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/**
 * Returns the reason why the runbook's commands cannot run on this machine: OpenSSL 3 is not installed. Returns
 * undefined if it is installed.
 */
function withoutOpenssl(): string | undefined {
  try {
    const version = execFileSync('openssl', ['version'], { encoding: 'utf8' });
    return version.startsWith('OpenSSL 3') ? undefined : `openssl is ${version}`;
  } catch {
    return 'there is no openssl';
  }
}
const skipped = withoutOpenssl();
if (skipped !== undefined) console.log(`no certificates: ${skipped}`);

describe.skipIf(skipped !== undefined)('a signer on another machine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-tls-'));
  const at = (name: string) => join(folder, name);
  const sh = (command: string) =>
    execFileSync('sh', ['-c', command], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const clientFiles: TlsFiles = {
    ca: at('authority.pem'),
    certificate: at('exchange.pem'),
    key: at('exchange.key'),
    peer: 'signer.internal',
  };
  const signerFiles: TlsFiles = {
    ca: at('authority.pem'),
    certificate: at('signer.pem'),
    key: at('signer.key'),
    peer: 'exchange.internal',
  };
  let signer: Awaited<ReturnType<typeof aSigner>> | undefined;
  const warnings: string[] = [];

  /**
   * Issues a certificate for the certificate request `csr`, signed by the test authority as in the runbook, valid from
   * `startAt` to `endAt`.
   */
  const issue = (csr: string, out: string, startAt: string, endAt: string) =>
    sh(
      `openssl ca -batch -config ca.conf -cert authority.pem -keyfile authority.key -notext ` +
        `-startdate ${startAt} -enddate ${endAt} -in ${csr} -out ${out}`,
    );

  beforeAll(() => {
    const section = RUNBOOK.split('### The signer on a machine of its own')[1]!.split('\n## ')[0]!;
    const commands = section
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('openssl '));
    expect(commands).toHaveLength(5);
    for (const command of commands) sh(command);
    writeFileSync(at('ca.conf'), CA_CONFIG);
    writeFileSync(at('index'), '');
    writeFileSync(at('index.attr'), 'unique_subject = no\n');
    writeFileSync(at('serial'), '01\n');
    for (const name of ['signer', 'exchange'])
      issue(`${name}.csr`, `${name}-ended.pem`, '20200101000000Z', '20200201000000Z');
    // Creates another certificate authority with the same name as the trusted one.
    for (const command of commands.slice(0, 1).map((text) => text.replaceAll('authority.', 'other.')))
      sh(command);
    for (const name of ['signer', 'exchange'])
      sh(
        `openssl x509 -req -in ${name}.csr -CA other.pem -CAkey other.key -days 9 -copy_extensions copy -out ${name}-other.pem`,
      );
    sh(
      `openssl x509 -req -in signer.csr -CA authority.pem -CAkey authority.key -days 9 -copy_extensions copy -out signer-soon.pem`,
    );
  });
  afterEach(async () => {
    await signer?.close();
    signer = undefined;
    warnings.length = 0;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function start(changes: Partial<TlsFiles> = {}) {
    signer = await aSigner(TOKEN, 'ETH=2/5', {
      address: `127.0.0.1:${await freePort()}`,
      tls: { ...signerFiles, ...changes },
      warn: (line) => warnings.push(line),
    });
    return signer;
  }
  const client = (changes: Partial<TlsFiles> = {}) => {
    const { place, secretFile } = signer!;
    return new SignerClient({ place, secretFile, tls: { ...clientFiles, ...changes } });
  };

  it('KEY-022 KEY-025 with the certificates of the runbook it answers the exchange, also after a restart', async () => {
    await start();
    expect(await client().variants(FIND)).toEqual(NOTHING);
    await signer!.restart();
    expect(await client().variants(FIND)).toEqual(NOTHING);
    const ends = await client().certificates();
    expect(ends.map(({ source }) => source)).toEqual([
      clientFiles.ca,
      clientFiles.certificate,
      'signer.internal',
    ]);
    expect(warnings).toEqual([]);
    const days = (ends[2]!.endsAt - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(364);
    expect(days).toBeLessThan(366);
  });

  it('KEY-022 KEY-023 a client is refused without a certificate, with one of another authority or name, and with an expired one', async () => {
    await start();
    const { place, secretFile } = signer!;
    await expect(new SignerClient({ place, secretFile }).variants(FIND)).rejects.toThrow(
      /hung up|ECONNRESET|EPIPE/,
    );
    const other = client({ certificate: at('exchange-other.pem') });
    await expect(other.variants(FIND)).rejects.toThrow(
      `it does not accept the certificate in ${at('exchange-other.pem')}`,
    );
    // The signer refuses a client that presents the signer's own certificate, which was issued for servers
    // only.
    const asSigner = client({ certificate: at('signer.pem'), key: at('signer.key') });
    await expect(asSigner.variants(FIND)).rejects.toThrow('the signer hung up');
    expect(warnings.join()).toContain('the certificate of exchange.internal was issued for another use');
    await expect(client({ certificate: at('exchange-ended.pem') }).variants(FIND)).rejects.toThrow(
      `the certificate in ${at('exchange-ended.pem')} ended on Feb  1 00:00:00 2020 GMT`,
    );
    expect(warnings.join()).toContain('the certificate of exchange.internal was not issued by the authority');
    const bare = connectTls({
      host: '127.0.0.1',
      port: Number(place.split(':')[1]),
      ca: readFileSync(at('authority.pem')),
      servername: 'signer.internal',
    });
    bare.on('error', () => undefined);
    bare.write('{}\n');
    await new Promise<void>((resolve) => bare.once('close', () => resolve()));
    expect(warnings.at(-1)).toContain('was not issued by the authority');
    await signer!.close();
    await start({ peer: 'other.internal' });
    warnings.length = 0;
    await expect(client().variants(FIND)).rejects.toThrow('hung up: its log says why');
    expect(warnings.join()).toContain('the certificate is for DNS:exchange.internal, not for other.internal');
  });

  it('KEY-022 KEY-023 nothing is sent to a signer whose certificate is of another authority or name, or with unusable own TLS files', async () => {
    await start();
    await expect(client({ ca: at('other.pem') }).variants(FIND)).rejects.toThrow(
      `the certificate of signer.internal was not issued by the authority in ${at('other.pem')}`,
    );
    await expect(client({ peer: 'other.internal' }).variants(FIND)).rejects.toThrow(
      'the certificate is for DNS:signer.internal, not for other.internal',
    );
    await expect(client({ key: at('signer.key') }).variants(FIND)).rejects.toThrow(
      'is not that of the certificate',
    );
    await expect(client({ key: at('authority.pem') }).variants(FIND)).rejects.toThrow('holds no private key');
    await expect(client({ certificate: at('exchange.csr') }).variants(FIND)).rejects.toThrow(
      'holds no certificate',
    );
  });

  it('KEY-024 renewed files are used by both sides without a restart', async () => {
    await start();
    const running = client();
    expect(await running.variants(FIND)).toEqual(NOTHING);
    const valid = { signer: readFileSync(at('signer.pem')), exchange: readFileSync(at('exchange.pem')) };
    try {
      copyFileSync(at('signer-other.pem'), at('signer.pem'));
      await expect(running.variants(FIND)).rejects.toThrow('was not issued by the authority');
      // While a certificate file is unusable, the signer continues with the earlier certificate.
      writeFileSync(at('signer.pem'), 'half a file');
      await expect(running.variants(FIND)).rejects.toThrow('was not issued by the authority');
      expect(warnings.join()).toContain('holds no certificate');
      writeFileSync(at('signer.pem'), valid.signer);
      copyFileSync(at('exchange-ended.pem'), at('exchange.pem'));
      await expect(running.variants(FIND)).rejects.toThrow('ended on');
      writeFileSync(at('exchange.pem'), valid.exchange);
      expect(await running.variants(FIND)).toEqual(NOTHING);
    } finally {
      writeFileSync(at('signer.pem'), valid.signer);
      writeFileSync(at('exchange.pem'), valid.exchange);
    }
  });

  it('KEY-024 health check and log report a certificate 30 days before it expires, and a signer that cannot be reached', async () => {
    await start({ certificate: at('signer-soon.pem') });
    const log = recordingLog();
    let now = Date.now();
    const clock = { now: () => instant(now), monotonicMs: () => now };
    const certificates = new SignerCertificates({ signer: client(), clock, log });
    const look = async () => {
      certificates.watch();
      await certificates.settled();
    };
    await look();
    expect(certificates.problem).toMatch(
      /certificate of signer\.internal for the signer ends on .* UTC: renew it/,
    );
    await signer!.close();
    // The server checks the certificates of the connection once an hour.
    await look();
    expect(certificates.problem).toContain('renew it');
    now += 60 * MINUTE_MS;
    await look();
    expect(certificates.problem).toContain('the signer cannot be reached: connect ECONNREFUSED');
    now += 60 * MINUTE_MS;
    await look();
    expect(log.lines.map(({ event }) => event)).toEqual([
      'chains.signer_certificate_ends',
      'chains.signer_not_reached',
    ]);
    await start();
    const { place, secretFile } = signer!;
    const healthy = new SignerCertificates({
      signer: new SignerClient({ place, secretFile, tls: clientFiles }),
      clock,
      log,
    });
    healthy.watch();
    await healthy.settled();
    expect(healthy.problem).toBeUndefined();
    expect(certificateEnds(clientFiles)).toHaveLength(2);
  });

  it('KEY-022 a connection that sends nothing does not delay other connections', async () => {
    await start();
    const [host, port] = signer!.place.split(':');
    const silent = connect({ host: host!, port: Number(port) });
    await new Promise<void>((resolve) => silent.once('connect', resolve));
    expect(await client().variants(FIND)).toEqual(NOTHING);
    silent.destroy();
  });
});

describe('settings of certificates', () => {
  const settings = (...values: readonly (string | undefined)[]) => ({
    ca: { name: 'CA', value: values[0] },
    certificate: { name: 'CERT', value: values[1] },
    key: { name: 'KEY', value: values[2] },
    peer: { name: 'NAME', value: values[3] },
  });
  const all = ['a', 'b', 'c', 'signer.internal'] as const;

  it.each([
    ['10.0.0.7:7000', [], 'CA, CERT, KEY, NAME must be set: 10.0.0.7:7000 is not on this machine'],
    ['signer.internal:7000', [], 'is not on this machine'],
    ['[fd00::7]:7000', [], 'is not on this machine'],
    ['10.0.0.7:7000', ['a', 'b'], 'KEY and NAME must be set too'],
    ['/run/signer', all, 'CA needs ADDRESS:PORT, and /run/signer is a socket'],
    ['10.0.0.7:7000', ['a', 'b', 'c', '10.0.0.7'], 'NAME must be a name such as signer.internal'],
    ['10.0.0.7:7000', ['a', 'b', 'c', '-x'], 'NAME must be a name such as signer.internal'],
  ])('KEY-022 %s with %j is refused', (place, values, sentence) => {
    expect(() => tlsFilesOf(place, settings(...values))).toThrow(sentence);
  });

  it.each(['/run/signer', '127.0.0.1:7000', '[::1]:7000', 'localhost:7000'])(
    'KEY-022 %s needs no certificates',
    (place) => {
      expect(tlsFilesOf(place, settings())).toBeUndefined();
    },
  );

  it('KEY-022 an address, name or IPv6 address of another machine has its four files', () => {
    const [ca, certificate, key, peer] = all;
    for (const place of ['10.0.0.7:7000', 'signer.internal:7000', '[fd00::7]:7000'])
      expect(tlsFilesOf(place, settings(...all))).toEqual({ ca, certificate, key, peer });
  });
});
