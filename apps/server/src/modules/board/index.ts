import { seedBoard } from './demo.ts';
import { boardOperations } from './operations.ts';
import { boardRoutes } from './routes.ts';
import { Board, type BoardParts } from './service.ts';

/**
 * Announcements and banners for all visitors. Operators publish each entry in versions and in all languages.
 * Shown entries are cached in memory for seconds and end by their time.
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
