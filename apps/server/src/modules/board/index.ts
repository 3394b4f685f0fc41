import { seedBoard } from './demo.ts';
import { boardOperations } from './operations.ts';
import { boardRoutes } from './routes.ts';
import { Board, type BoardParts } from './service.ts';

/**
 * board: what is told to everybody. Announcements and banners are versions that operators publish, in every language; what
 * is out is kept in memory for seconds, and expires by itself.
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
