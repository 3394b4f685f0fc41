import { personName } from '@exchange/core/kyc.ts';
import type { Recipient } from '@exchange/core/recipient.ts';

/** The verified identity of the owner who requests a withdrawal. */
export interface Originator {
  readonly uid: string;
  readonly name: string;
  readonly idCard: string;
  readonly country: string;
}

/** The content of a travel-rule record, with the field names of IVMS101 (interVASP Messaging Standard). */
export interface TravelRuleRecord {
  readonly originator: {
    readonly originatorPersons: readonly [{ readonly naturalPerson: NaturalPerson }];
    readonly accountNumber: readonly string[];
  };
  readonly beneficiary: {
    readonly beneficiaryPersons: readonly [{ readonly naturalPerson: NaturalPerson }];
    readonly accountNumber: readonly string[];
  };
  readonly originatingVASP: { readonly originatingVASP: { readonly legalPerson: LegalPerson } };
  /** The recipient's exchange; absent for a private wallet. */
  readonly beneficiaryVASP?: { readonly beneficiaryVASP: { readonly legalPerson: LegalPerson } };
  /** The payment that the record describes; this field is not part of IVMS101. */
  readonly payment: {
    readonly asset: string;
    readonly network: string;
    readonly amount: string;
    readonly isOwnAccount: boolean;
  };
}

interface NaturalPerson {
  readonly name: {
    readonly nameIdentifier: readonly [
      { readonly primaryIdentifier: string; readonly nameIdentifierType: 'LEGL' },
    ];
  };
  readonly nationalIdentification?: {
    readonly nationalIdentifier: string;
    readonly nationalIdentifierType: 'IDCD';
    readonly countryOfIssue: string;
  };
  readonly customerIdentification?: string;
}

interface LegalPerson {
  readonly name: {
    readonly nameIdentifier: readonly [
      { readonly legalPersonName: string; readonly legalPersonNameIdentifierType: 'LEGL' },
    ];
  };
}

interface Payment {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  /** The amount that arrives, in units of the coin as decimal text. */
  readonly amount: string;
}

/**
 * Builds the travel-rule record of a withdrawal. Full names are stored in `primaryIdentifier`, because verified
 * identities have no separate family name.
 *
 * @param vasp legal name of the exchange
 */
export function travelRuleRecord(
  originator: Originator,
  recipient: Recipient,
  payment: Payment,
  vasp: string,
): TravelRuleRecord {
  const { uid, name, idCard, country } = originator;
  const { asset, network, address, memo, amount } = payment;
  const provider = recipient.provider.trim();
  const record: TravelRuleRecord = {
    originator: {
      originatorPersons: [
        {
          naturalPerson: {
            name: nameOf(name),
            nationalIdentification: {
              nationalIdentifier: idCard,
              nationalIdentifierType: 'IDCD',
              countryOfIssue: country,
            },
            customerIdentification: uid,
          },
        },
      ],
      accountNumber: [uid],
    },
    beneficiary: {
      beneficiaryPersons: [
        { naturalPerson: { name: nameOf(recipient.isOwn ? name : personName(recipient.name)) } },
      ],
      accountNumber: memo === undefined ? [address] : [address, memo],
    },
    originatingVASP: { originatingVASP: { legalPerson: companyOf(vasp) } },
    payment: {
      asset,
      network,
      amount,
      isOwnAccount: recipient.isOwn,
    },
  };
  if (provider === '') return record;
  return { ...record, beneficiaryVASP: { beneficiaryVASP: { legalPerson: companyOf(provider) } } };
}

/**
 * Returns the full name of the recipient in a travel-rule record; undefined if the owner of the withdrawal is
 * the recipient.
 */
export function otherRecipient({ beneficiary, payment }: TravelRuleRecord): string | undefined {
  if (payment.isOwnAccount) return undefined;
  const [{ naturalPerson }] = beneficiary.beneficiaryPersons;
  return naturalPerson.name.nameIdentifier[0].primaryIdentifier;
}

function nameOf(primaryIdentifier: string): NaturalPerson['name'] {
  return { nameIdentifier: [{ primaryIdentifier, nameIdentifierType: 'LEGL' }] };
}

function companyOf(legalPersonName: string): LegalPerson {
  return { name: { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] } };
}
