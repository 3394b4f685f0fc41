import { useHref, useNavigate } from 'react-router';
import { cameFrom } from '../ui/overlay-history.ts';

/**
 * Returns a function that leaves a completed screen for `path` (without the site's base): it goes back when
 * the user came from there, to avoid a duplicate history entry, and otherwise replaces this entry.
 */
export function useLeaveFor(path: string): () => void {
  const navigate = useNavigate();
  const href = useHref(path);
  return () => void (cameFrom() === href ? navigate(-1) : navigate(path, { replace: true }));
}
