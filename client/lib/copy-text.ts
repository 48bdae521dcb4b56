/** Rejects if the browser refuses, or has no clipboard, as at an address without TLS. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text)
}
