import { describe, expect, it } from 'vitest';
import { readAccountKey } from './extended-key.ts';

describe('extended keys', () => {
  // The account's extended public key from the BIP 84 test vectors, as zpub and as xpub.
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const xpub =
    'xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V';

  it('UTXO-002 the key of an account is parsed with the prefix of any network, and any other text is refused with its reason', () => {
    expect(readAccountKey(zpub)).toEqual({ ok: true, value: xpub });
    expect(readAccountKey(xpub)).toEqual({ ok: true, value: xpub });
    const problems = {
      // The extended private key of the account in the BIP 84 test vectors.
      zprvAdG4iTXWBoARxkkzNpNh8r6Qag3irQB8PzEMkAFeTRXxHpbF9z4QgEvBRmfvqWvGp42t42nvgGpNgYSJA9iefm1yYNZKEm7z6qUWCroSQnE:
        'private',
      // The root key of the wallet in the BIP 84 test vectors. It is no account key, because its depth is zero.
      zpub6jftahH18ngZxLmXaKw3GSZzZsszmt9WqedkyZdezFtWRFBZqsQH5hyUmb4pCEeZGmVfQuP5bedXTB8is6fTv19U1GQRyQUKQGUTzyHACMF:
        'depth',
      [`${zpub.slice(0, -1)}t`]: 'malformed',
      [zpub.slice(0, 60)]: 'malformed',
      ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh: 'malformed',
      '': 'malformed',
    };
    for (const [text, problem] of Object.entries(problems))
      expect(readAccountKey(text)).toEqual({ ok: false, refusal: problem });
  });
});
