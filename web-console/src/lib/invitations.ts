/** The token of an invitation, from the link or alone; undefined for a text that holds none. */
export function invitationTokenOf(text: string): string | undefined {
  const found = /[?&]token=([^&#\s]{1,200})/.exec(text)?.[1] ?? (/^\S{1,200}$/.test(text.trim()) && !text.includes("/") ? text.trim() : undefined);
  if (found === undefined) return undefined;
  try {
    return decodeURIComponent(found);
  } catch {
    return undefined;
  }
}
