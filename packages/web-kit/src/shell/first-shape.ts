import { useLayoutEffect } from 'react';
import './first-shape.css';

/**
 * Removes the skeleton that the server's HTML shows at first, once the component has rendered; used
 * by screen frames and their placeholders.
 */
export function useRemoveFirstSkeleton(): void {
  useLayoutEffect(() => document.getElementById('first-shape')?.remove(), []);
}
