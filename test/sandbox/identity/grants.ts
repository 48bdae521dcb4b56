// Counts the tokens that the provider grants, refuses and revokes.
import type Provider from 'oidc-provider'
import type { KoaContextWithOIDC } from 'oidc-provider'

export type Grants = ReturnType<typeof noGrants>

export const noGrants = () => ({
  authorization_code: 0,
  refresh_token: 0,
  client_credentials: 0,
  refused_refresh: 0,
  reused_refresh: 0,
  revoked: 0
})

export function countGrants(provider: Provider, grants: Grants): void {
  const typeOf = (ctx: KoaContextWithOIDC): unknown => ctx.oidc.params?.grant_type

  provider.on('grant.success', (ctx) => {
    const type = typeOf(ctx)
    if (type === 'authorization_code' || type === 'refresh_token' || type === 'client_credentials')
      grants[type]++
  })
  provider.on('grant.error', (ctx, error) => {
    if (typeOf(ctx) !== 'refresh_token') return
    grants.refused_refresh++
    if (error.error_detail === 'refresh token already used') grants.reused_refresh++
  })
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path === '/token/revocation' && ctx.status === 200) grants.revoked++
  })
}
