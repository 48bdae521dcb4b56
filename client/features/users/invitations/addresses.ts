// What people paste as e-mail addresses: lists with commas, semicolons, lines, or names before addresses in brackets.

/** The addresses of a text, in their order, each once whatever its letter case. */
export function addressesIn(text: string): string[] {
  const bracketed = [...text.matchAll(/<([^<>\s]+@[^<>]*)>/g)].map(([, address = '']) => address.trim())
  const found = bracketed.length > 0 ? bracketed : text.split(/[\s,;]+/)
  return withoutRepeats(found.filter((address) => address !== ''))
}

export function withoutRepeats(addresses: readonly string[]): string[] {
  const seen = new Set<string>()
  return addresses.filter((address) => {
    const key = address.toLowerCase()
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
