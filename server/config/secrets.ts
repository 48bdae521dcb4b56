// Secrets from files, as containers mount them: NAME_FILE is the path of the file that holds NAME.

/** Reads the text of a file. Throws when it cannot be read. */
export type ReadText = (path: string) => string

/** A file that a setting names is wrong. The message names the setting and what to change. */
export class SecretFileError extends Error {}

/** The text of a secret, from its own setting or its file; undefined when neither is set. */
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
  return fileText(`${name}_FILE`, path, readText)
}

/** The text of the file that a setting names. Throws a SecretFileError when there is none to be had. */
export function fileText(setting: string, path: string, readText: ReadText): string {
  const text = read(setting, path, readText).trim()
  if (text === '') throw new SecretFileError(`${setting} names an empty file: ${path}`)
  return text
}

function read(setting: string, path: string, readText: ReadText): string {
  try {
    return readText(path)
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new SecretFileError(
      `${setting} cannot be read: ${path} (${code}); check the path, and that the gateway's user may read it`
    )
  }
}
