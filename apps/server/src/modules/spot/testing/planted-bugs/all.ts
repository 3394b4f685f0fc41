import { BOOK_BUGS } from './book.ts';
import { LIFE_BUGS } from './lives.ts';
import { MONEY_BUGS } from './money.ts';
import type { PlantedBug } from './plant.ts';
import { STOP_BUGS } from './stops.ts';

export const PLANTED_BUGS: readonly PlantedBug[] = [...MONEY_BUGS, ...STOP_BUGS, ...LIFE_BUGS, ...BOOK_BUGS];
