import { useHref, useNavigate } from 'react-router';
import { cameFrom } from '../ui/overlay-history.ts';

/**
 * Returns a function that leaves a completed screen for `path` (without the site's base). It goes back in the history
 * if the user came from `path`; otherwise it replaces the history entry of the completed screen.
 */
export function useLeaveFor(path: string): () => void {
  const navigate = useNavigate();
  const href = useHref(path);
  return () => void (cameFrom() === href ? navigate(-1) : navigate(path, { replace: true }));
}
