import { ceilingProblem } from '@exchange/core/ceilings.ts';
import { incomeSchedule } from '@exchange/core/mining.ts';
import type { EarnKind } from '../earn/index.ts';
import { AGREEMENT_VERSION, termsProblem, type ProductTerms } from './domain.ts';
import {
  everyProduct,
  findProduct,
  productsByIds,
  productVersions,
  runningIncome,
  saveProduct,
} from './repository.ts';
import { runningGroups } from './records-repository.ts';

export const MINING: EarnKind<ProductTerms> = {
  name: 'mining',
  payer: 'mining',
  agreementVersion: AGREEMENT_VERSION,
  daysOf: ({ cycle }) => cycle,
  scheduleOf: incomeSchedule,
  termsProblem,
  ceilingProblem: (terms) => ceilingProblem('mining', terms),
  rows: {
    everyProduct,
    findProduct,
    productsByIds,
    productVersions,
    saveProduct,
    runningGroups,
    running: runningIncome,
  },
};
