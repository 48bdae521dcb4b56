import { type Config, readConfig } from '#server/config/settings.ts'

const NOWHERE = 'http://localhost:1'

/** A configuration with the required settings and the settings of `env`. */
export const leastConfig = (env: Record<string, string> = {}): Config =>
  readConfig({
    OIDC_ISSUER: NOWHERE,
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'x',
    UPSTREAM_URL: NOWHERE,
    ...env
  })
