import { useHref, useNavigate } from 'react-router';
import { cameFrom } from '../ui/overlay-history.ts';

/**
 * Leaves a screen whose work is done for `path` (without the site's base): back where that is the screen from which
 * the person came, so that it is not in the history twice, else in place of this screen.
 */
export function useLeaveFor(path: string): () => void {
  const navigate = useNavigate();
  const href = useHref(path);
  return () => void (cameFrom() === href ? navigate(-1) : navigate(path, { replace: true }));
}
