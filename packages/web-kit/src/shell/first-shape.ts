import { useLayoutEffect } from 'react';
import './first-shape.css';

/**
 * Removes the skeleton that the server's HTML contains, when the component has rendered; used by the frames of the
 * screens and by their placeholders.
 */
export function useRemoveFirstSkeleton(): void {
  useLayoutEffect(() => document.getElementById('first-shape')?.remove(), []);
}
