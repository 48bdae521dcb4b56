// Secrets may stand in files, as containers mount them: NAME_FILE names the file of NAME.

/** Reads the text of a file. Throws when it cannot be read. */
export type ReadText = (path: string) => string

/** What is wrong with a file of a secret; the message names the setting and the way out. */
export class SecretFileError extends Error {}

/** The text of a secret, from its own setting or from the file that NAME_FILE names; undefined when neither is set. */
export function secretText(
  env: Record<string, string | undefined>,
  name: string,
  readText: ReadText
): string | undefined {
  const given = env[name]?.trim() || undefined
  const path = env[`${name}_FILE`]?.trim()
  if (!path) return given
  if (given !== undefined)
    throw new SecretFileError(`${name}_FILE and ${name} are both set: keep one of them`)
  const text = read(name, path, readText).trim()
  if (text === '') throw new SecretFileError(`${name}_FILE names an empty file: ${path}`)
  return text
}

function read(name: string, path: string, readText: ReadText): string {
  try {
    return readText(path)
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new SecretFileError(
      `${name}_FILE cannot be read: ${path} (${code}); check the path, and that the gateway's user may read it`
    )
  }
}
