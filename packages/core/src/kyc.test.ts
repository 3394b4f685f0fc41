import { describe, expect, it } from 'vitest';
import {
  COUNTRIES,
  countryProblem,
  documentNumber,
  documentProblem,
  requiredFields,
  INTERNAL_KYC_REASONS,
  KYC_FIELDS,
  KYC_OWNER_REASONS,
  KYC_REASONS,
  kycOwnerReasons,
  levelLimits,
  maskDocument,
  maskName,
  nameProblem,
  personName,
} from './kyc.ts';

/**
 * Computes the check digit of a Chinese identity number (GB 11643) from the standard's table of weights. Tests compare
 * the implementation with it.
 */
function naiveCheck(digits: string): string {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return '10X98765432'.charAt(sum % 11);
}

const key = (country: string, number: string) => documentProblem(country, number)?.key;

describe('document numbers', () => {
  it('KYC-002 of China have a check digit, a birthday, and 18 characters', () => {
    for (const good of ['11010519491231002X', '440524188001010014', '11010519491231002x'])
      expect(key('CN', good)).toBe(good.startsWith('4405') ? 'l.kyc_number_cn_date' : undefined);
    expect(key('CN', '110105194912310021')).toBe('l.kyc_number_cn_check');
    expect(key('CN', '11010519491331002X')).toBe('l.kyc_number_cn_date');
    expect(key('CN', '11010519490230002X')).toBe('l.kyc_number_cn_date');
    expect(key('CN', '1101051949123100')).toBe('l.kyc_number_cn_length');
    expect(key('CN', '')).toBe('l.kyc_number_required');
    expect(documentProblem('CN', '123')?.parameters).toMatchObject({ limit: '18', value: '3' });
  });

  it('KYC-002 of China are accepted only with the check digit from the table of weights', () => {
    for (let n = 0; n < 500; n += 1) {
      const born = new Date(Date.UTC(1950, 0, 1 + n * 50)).toISOString().slice(0, 10).replaceAll('-', '');
      const digits = `${110_000 + ((n * 7919) % 500_000)}${born}${String((n * 613) % 1_000).padStart(3, '0')}`;
      const right = naiveCheck(digits);
      for (const last of '0123456789X')
        expect(key('CN', digits + last)).toBe(last === right ? undefined : 'l.kyc_number_cn_check');
    }
  });

  it('KYC-002 of other countries have 5 to 24 letters, digits and hyphens', () => {
    for (const good of ['AB123', 'L01X00T47', 'a-1-b-2-c', '9'.repeat(24), ' C 0 1 X 00T47 '])
      expect(key('DE', good), good).toBeUndefined();
    for (const bad of ['1234', '9'.repeat(25), 'AB_123', 'ÄB1234', '<b>12345'])
      expect(key('DE', bad), bad).toBe('l.kyc_number_format');
    expect(documentNumber(' ab 12-3x ')).toBe('AB12-3X');
  });

  it('KYC-810 full-width names and numbers equal their plain form, and the punctuation of printed names is accepted', () => {
    expect(nameProblem('山田　太郎')).toBeUndefined();
    expect(personName(' 山田　太郎 ')).toBe('山田 太郎');
    for (const printed of ['Ravi A/L Muthu', 'Lim Ah Kow @ Lin', 'Marie (née Roy)', '阿布都・买买提'])
      expect(nameProblem(printed), printed).toBeUndefined();
    expect(key('DE', '１２３４５６')).toBeUndefined();
    expect(documentNumber('ＡＢ１２−３４')).toBe('AB12-34');
  });

  it('KYC-003 names are letters of any script', () => {
    for (const good of [
      'Ada Lovelace',
      '张伟',
      'José O’Neill-Núñez',
      'Nguyễn Văn An',
      '阿卜杜拉·买买提',
      'Jr. Li',
    ])
      expect(nameProblem(good), good).toBeUndefined();
    for (const bad of ['A', '4 Real', 'Ada<script>', 'Ada\nL', '...', '\u202Eada', 'Ada_L'])
      expect(nameProblem(bad)?.key, bad).toBe('l.kyc_name_format');
    expect(nameProblem('  ')?.key).toBe('l.kyc_name_required');
    expect(nameProblem('x'.repeat(81))?.key).toBe('l.field_too_long');
  });

  it('KYC-003 countries are those of ISO 3166, each once', () => {
    expect(new Set(COUNTRIES).size).toBe(COUNTRIES.length);
    expect(COUNTRIES.length).toBeGreaterThan(230);
    for (const country of COUNTRIES) expect(countryProblem(country)).toBeUndefined();
    for (const bad of ['', 'XX', 'cn', 'CHN'])
      expect(countryProblem(bad)?.key).toBe('l.kyc_country_required');
  });

  it('KYC-006 a rejection requires the fields of its reasons, and all fields without a reason', () => {
    expect(requiredFields([])).toEqual(KYC_FIELDS);
    expect(requiredFields(['sameSide'])).toEqual(['idCardPhotoReverseSide']);
    expect(requiredFields(['nameDiffers', 'frontUnreadable'])).toEqual(['name', 'idCardPhotoPositive']);
    for (const fields of Object.values(KYC_REASONS)) expect(fields.length).toBeGreaterThan(0);
  });

  it('KYC-680 users see internal reasons only as a review', () => {
    expect(kycOwnerReasons([])).toEqual([]);
    expect(kycOwnerReasons(['expired', 'sameSide'])).toEqual(['expired', 'sameSide']);
    for (const internal of INTERNAL_KYC_REASONS) {
      expect(kycOwnerReasons([internal])).toEqual(['review']);
      expect(kycOwnerReasons(['expired', internal])).toEqual(['review']);
      expect(KYC_OWNER_REASONS).not.toContain(internal);
    }
  });

  it('KYC-009 limits: nothing before verification, 50,000 USDT a day after it, fifteen times that in 30 days', () => {
    const limitTexts = (level: 0 | 1 | 2) => Object.values(levelLimits(level)).map(String);
    expect([limitTexts(0), limitTexts(1), limitTexts(2)]).toEqual([
      ['0', '0'],
      ['2000', '30000'],
      ['50000', '750000'],
    ]);
  });

  it('KYC-004 masked names and numbers reveal too little for misuse', () => {
    expect(maskName('Ada Lovelace')).toBe('A***');
    expect(maskName('张伟')).toBe('张***');
    expect(maskDocument('11010519491231002X')).toBe('11**************2X');
    expect(maskDocument('AB123')).toBe('AB***23');
  });
});
