import { useSyncExternalStore } from 'react';
import { onStoredChange, readStored, store } from '../storage.ts';

/** Storage key of the setting whether price alerts play a sound; the device stores it, not the account. */
const KEY = 'alert-sound';
const ON = '1';

/** The alert sound: two short tones, each with its frequency in hertz and its start in seconds. */
const TONES = [
  { frequency: 880, startSeconds: 0 },
  { frequency: 1_320, startSeconds: 0.16 },
] as const;
const TONE_SECONDS = 0.14;
const LOUDNESS = 0.15;

const followers = new Set<() => void>();
let context: AudioContext | undefined;

/** Returns whether price alerts play a sound on this device; off by default. */
export function hasAlertSound(): boolean {
  return readStored(KEY) === ON;
}

/** Whether price alerts play a sound on this device; a component with this hook re-renders when the setting changes. */
export function useAlertSound(): boolean {
  return useSyncExternalStore(follow, hasAlertSound);
}

function follow(onChange: () => void): () => void {
  followers.add(onChange);
  const stopWatchingStorage = onStoredChange(KEY, onChange);
  return () => {
    followers.delete(onChange);
    stopWatchingStorage();
  };
}

/** Enables or disables the sound of price alerts on this device; enabling it also plays the sound once. */
export function setAlertSound(isOn: boolean): void {
  store(KEY, isOn ? ON : null);
  for (const notifyFollower of followers) notifyFollower();
  if (isOn) void playAlertSound();
}

/**
 * Browsers block sound until the user has interacted with the page. If the sound of price alerts is enabled, the next
 * press or key makes the browser allow it. Returns a function that removes the listeners.
 */
export function allowSoundAtFirstPress(): () => void {
  const removeListeners = () => {
    window.removeEventListener('pointerdown', unlockSound);
    window.removeEventListener('keydown', unlockSound);
  };
  const unlockSound = () => {
    if (!hasAlertSound()) return;
    void audioContext()?.resume();
    removeListeners();
  };
  window.addEventListener('pointerdown', unlockSound);
  window.addEventListener('keydown', unlockSound);
  return removeListeners;
}

/** Plays the alert sound. Resolves to true if the browser has allowed it, otherwise to false. */
export async function playAlertSound(): Promise<boolean> {
  const output = audioContext();
  if (output === undefined) return false;
  if (output.state !== 'running') {
    // `resume` is not awaited, because its promise may never settle before the user interacts with the page.
    void output.resume();
    await Promise.resolve();
    if (output.state === 'suspended' && !navigator.userActivation?.hasBeenActive) return false;
  }
  for (const { frequency, startSeconds } of TONES) {
    const tone = output.createOscillator();
    const volume = output.createGain();
    const start = output.currentTime + startSeconds;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(output.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
  return true;
}

function audioContext(): AudioContext | undefined {
  if (typeof AudioContext === 'undefined') return undefined;
  context ??= new AudioContext();
  return context;
}
