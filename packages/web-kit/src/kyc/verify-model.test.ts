import { KYC_FIELDS, nameProblem, documentProblem } from '@exchange/core/kyc.ts';
import { describe, expect, it } from 'vitest';
import {
  countryName,
  countryOptions,
  detailsProblems,
  NO_DETAILS,
  sampleDetails,
  stepsOf,
} from './verify-model.ts';

describe('the identity form', () => {
  it('KYC-201 asks in steps, and after a rejection only for rejected fields', () => {
    expect(stepsOf(KYC_FIELDS)).toEqual(['details', 'photos', 'check']);
    expect(stepsOf(['idCardPhotoReverseSide'])).toEqual(['photos', 'check']);
    expect(stepsOf(['name'])).toEqual(['details', 'check']);
  });

  it('KYC-202 validates each requested field by the rules of the exchange', () => {
    const problems = (
      form: object,
      requestedFields = KYC_FIELDS as readonly (typeof KYC_FIELDS)[number][],
      country = '',
    ) =>
      Object.fromEntries(
        Object.entries(detailsProblems({ ...NO_DETAILS, ...form }, requestedFields, { country })).map(
          ([field, { key }]) => [field, key],
        ),
      );
    expect(problems({})).toEqual({
      country: 'l.kyc_country_required',
      name: 'l.kyc_name_required',
      idCard: 'l.kyc_number_required',
    });
    expect(problems({ country: 'CN', name: '张伟', idCard: '110105194912310021' })).toEqual({
      idCard: 'l.kyc_number_cn_check',
    });
    expect(problems({ country: 'CN', name: '张伟', idCard: '11010519491231002X' })).toEqual({});
    // If the country is not requested again, the document number is validated with the country of the last submission.
    expect(problems({ idCard: 'AB123' }, ['idCard'], 'CN')).toEqual({ idCard: 'l.kyc_number_cn_length' });
    expect(problems({ idCard: 'AB123' }, ['idCard'], 'DE')).toEqual({});
  });

  it('KYC-203 lists every country once in the language of the user', () => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const names = countryOptions(locale).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(countryName('CN', 'zh-CN')).toBe('中国');
    expect(countryName('', 'en-US')).toBe('');
  });

  it('KYC-206 generates a valid and different sample each time', () => {
    const [firstSample, secondSample] = [sampleDetails(() => 0.123456789), sampleDetails(() => 0.5)];
    expect(nameProblem(firstSample.name)).toBeUndefined();
    expect(documentProblem(firstSample.country, firstSample.idCard)).toBeUndefined();
    expect(firstSample.idCard).not.toBe(secondSample.idCard);
  });
});
