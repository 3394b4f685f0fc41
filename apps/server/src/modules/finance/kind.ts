import { ceilingProblem } from '@exchange/core/ceilings.ts';
import { scheduleOf } from '@exchange/core/finance.ts';
import type { EarnKind } from '../earn/index.ts';
import { AGREEMENT_VERSION, termsProblem, type ProductTerms } from './domain.ts';
import {
  everyProduct,
  findProduct,
  productsByIds,
  productVersions,
  runningInterest,
  saveProduct,
} from './repository.ts';
import { runningGroups } from './records-repository.ts';

export const FINANCE: EarnKind<ProductTerms> = {
  name: 'finance',
  payer: 'interest',
  agreementVersion: AGREEMENT_VERSION,
  daysOf: ({ period }) => period,
  scheduleOf,
  termsProblem,
  ceilingProblem: (terms) => ceilingProblem('finance', terms),
  rows: {
    everyProduct,
    findProduct,
    productsByIds,
    productVersions,
    saveProduct,
    runningGroups,
    running: runningInterest,
  },
};
