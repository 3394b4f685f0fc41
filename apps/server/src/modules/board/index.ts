import { seedBoard } from './demo.ts';
import { boardOperations } from './operations.ts';
import { boardRoutes } from './routes.ts';
import { Board, type BoardParts } from './service.ts';

/**
 * Creates the module of announcements and banners, which all visitors see. Operators publish each of them in
 * versions, with texts by language. They are cached in memory for at most five seconds; those that end
 * meanwhile disappear at their end time.
 */
export function createBoard({ clock, database, screens }: BoardParts) {
  const board = new Board({ clock, database, screens });
  return {
    name: 'board',
    board,
    routes: boardRoutes(board),
    operations: boardOperations(board, () => clock.now()),
    seed: (demo: Parameters<typeof seedBoard>[1]) => seedBoard(board, demo),
  };
}
