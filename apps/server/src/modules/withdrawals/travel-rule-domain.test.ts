import { expect, it } from 'vitest';
import { travelRuleRecord } from './travel-rule-domain.ts';

const originator = { uid: '10001', name: 'Ada Lovelace', idCard: 'LOVE1815', country: 'GB' };
const payment = { asset: 'XRP', network: 'XRP', address: 'rXYZ', memo: '7', amount: '2000' };

it('TRE-056 a record names originator, beneficiary and both providers with the fields of IVMS101', () => {
  const recipient = { isOwn: false, name: ' Charles  Babbage ', provider: 'Other Exchange ' };
  expect(travelRuleRecord(originator, recipient, payment, 'Amethyst Ltd')).toEqual({
    originator: {
      originatorPersons: [
        {
          naturalPerson: {
            name: {
              nameIdentifier: [{ primaryIdentifier: 'Ada Lovelace', nameIdentifierType: 'LEGL' }],
            },
            nationalIdentification: {
              nationalIdentifier: 'LOVE1815',
              nationalIdentifierType: 'IDCD',
              countryOfIssue: 'GB',
            },
            customerIdentification: '10001',
          },
        },
      ],
      accountNumber: ['10001'],
    },
    beneficiary: {
      beneficiaryPersons: [
        {
          naturalPerson: {
            name: {
              nameIdentifier: [{ primaryIdentifier: 'Charles Babbage', nameIdentifierType: 'LEGL' }],
            },
          },
        },
      ],
      accountNumber: ['rXYZ', '7'],
    },
    originatingVASP: {
      originatingVASP: {
        legalPerson: {
          name: {
            nameIdentifier: [{ legalPersonName: 'Amethyst Ltd', legalPersonNameIdentifierType: 'LEGL' }],
          },
        },
      },
    },
    beneficiaryVASP: {
      beneficiaryVASP: {
        legalPerson: {
          name: {
            nameIdentifier: [{ legalPersonName: 'Other Exchange', legalPersonNameIdentifierType: 'LEGL' }],
          },
        },
      },
    },
    payment: {
      asset: 'XRP',
      network: 'XRP',
      amount: '2000',
      isOwnAccount: false,
    },
  });
});

it('TRE-056 the owner is the beneficiary of an own wallet, which has no provider', () => {
  const record = travelRuleRecord(
    originator,
    { isOwn: true, name: '', provider: ' ' },
    { ...payment, memo: undefined },
    'Amethyst Ltd',
  );
  const { beneficiaryPersons, accountNumber } = record.beneficiary;
  expect(beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].primaryIdentifier).toBe('Ada Lovelace');
  expect(accountNumber).toEqual(['rXYZ']);
  expect(record.payment.isOwnAccount).toBe(true);
  expect('beneficiaryVASP' in record).toBe(false);
});
