// Redis with Sentinels or as a Cluster, from real processes with short timings.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '#test/support/portal.ts'
import { PASSWORD, redisUser, sentinelUser, USER } from './documented-users.ts'
import { eventually } from './redis-server.ts'
import type { Test } from './teardown.ts'

export interface RedisNode {
  port: number
  address: string
  client: Redis
  answers: () => boolean
  freeze: () => void
  thaw: () => void
  kill: () => Promise<void>
}

const STARTS_WITHIN_MS = 60_000
const WITHOUT_FILES = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', redisUser]
const AS_DOCUMENTED = { REDIS_USERNAME: USER, REDIS_PASSWORD: PASSWORD }

/** Starts a Redis process. Tries a second port if another process has taken the first port. */
export async function launch(t: Test, settings: string[], ...parameters: string[]): Promise<RedisNode> {
  return launchOnce(t, settings, parameters).catch(() => launchOnce(t, settings, parameters))
}

async function launchOnce(t: Test, settings: string[], parameters: string[]): Promise<RedisNode> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'portal-redis-'))
  const file = join(folder, 'redis.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...settings].join('\n'))
  const child: ChildProcess = spawn('redis-server', [file, ...parameters], { stdio: 'ignore' })
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let isFrozen = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  const kill = async () => {
    if (isRunning()) child.kill('SIGKILL')
    await exit
  }
  t.teardown(async () => {
    client.disconnect()
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  const earlyExit = exit.then(() => {
    throw new Error(`redis-server on port ${port} exited before it answered`)
  })
  await Promise.race([client.ping(), earlyExit])
  earlyExit.catch(() => {})
  return {
    port,
    address: `127.0.0.1:${port}`,
    client,
    answers: () => isRunning() && !isFrozen,
    freeze() {
      isFrozen = child.kill('SIGSTOP')
    },
    thaw() {
      child.kill('SIGCONT')
      isFrozen = false
    },
    kill
  }
}

function runningNode(nodes: RedisNode[]): RedisNode {
  const node = nodes.find(({ answers }) => answers())
  if (node === undefined) throw new Error('no node answers')
  return node
}

export interface Sentinelled {
  env: Record<string, string>
  nodes: RedisNode[]
  sentinels: RedisNode[]
  primary: () => Promise<RedisNode>
}

export async function startSentinels(t: Test): Promise<Sentinelled> {
  const firstPrimary = await launch(t, WITHOUT_FILES)
  const replica = await launch(t, [
    ...WITHOUT_FILES,
    `replicaof 127.0.0.1 ${firstPrimary.port}`,
    'replica-priority 1'
  ])
  const sentinelSettings = [
    `sentinel monitor portal 127.0.0.1 ${firstPrimary.port} 2`,
    'sentinel down-after-milliseconds portal 500',
    'sentinel failover-timeout portal 2000',
    sentinelUser
  ]
  const sentinels = await Promise.all([1, 2, 3].map(() => launch(t, sentinelSettings, '--sentinel')))
  // Otherwise Sentinels take 10 s to make a returned primary a replica.
  const periods = ['info-period', '500', 'publish-period', '200']
  await Promise.all(sentinels.map(({ client }) => client.call('SENTINEL', 'DEBUG', ...periods)))
  const nodes = [firstPrimary, replica]
  const countOf = async (one: RedisNode, subcommand: string) =>
    ((await one.client.call('SENTINEL', subcommand, 'portal')) as unknown[]).length
  for (const one of sentinels)
    await eventually(
      async () => (await countOf(one, 'REPLICAS')) === 1 && (await countOf(one, 'SENTINELS')) === 2,
      STARTS_WITHIN_MS
    )
  await eventually(
    async () => /master_link_status:up/.test(await replica.client.info('replication')),
    STARTS_WITHIN_MS
  )
  return {
    env: {
      REDIS_SENTINELS: sentinels.map(({ address }) => address).join(','),
      REDIS_SENTINEL_NAME: 'portal',
      REDIS_SENTINEL_USERNAME: USER,
      REDIS_SENTINEL_PASSWORD: PASSWORD,
      ...AS_DOCUMENTED
    },
    nodes,
    sentinels,
    async primary() {
      const { client } = runningNode(sentinels)
      const [, port] = (await client.call('SENTINEL', 'get-master-addr-by-name', 'portal')) as string[]
      const primaryNode = nodes.find((node) => node.port === Number(port))
      if (primaryNode === undefined) throw new Error(`the Sentinels name an unknown primary at port ${port}`)
      return primaryNode
    }
  }
}

export interface RedisCluster {
  env: Record<string, string>
  nodes: RedisNode[]
  inStep: () => Promise<boolean>
  holdFailovers: (isHeld: boolean) => Promise<void>
  /** The primary of this key according to a running node; null while the key has no primary. */
  primaryOf: (key: string) => Promise<RedisNode | null>
}

const PRIMARIES = 3

export function hasAll(replication: string): boolean {
  const [, offset] = /master_repl_offset:(\d+)/.exec(replication) ?? []
  const replicas = [...replication.matchAll(/^slave\d+:.*state=(\w+),offset=(\d+)/gm)]
  return replicas.length > 0 && replicas.every(([, state, value]) => state === 'online' && value === offset)
}

export async function startCluster(t: Test): Promise<RedisCluster> {
  const settings = [...WITHOUT_FILES, 'cluster-enabled yes', 'cluster-node-timeout 1000']
  // Nodes of a Cluster also use their port plus 10000, which may be taken.
  const node = async () => launch(t, [...settings, `cluster-port ${await freePort()}`])
  const nodes = await Promise.all(Array.from({ length: 6 }, node))
  const addresses = nodes.map(({ address }) => address)
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes']
  execFileSync('redis-cli', create, { stdio: 'pipe' })
  for (const { client } of nodes) {
    const isReady = async () => (await client.cluster('INFO')).includes('cluster_state:ok')
    await eventually(isReady, STARTS_WITHIN_MS)
  }
  const inStep = async () => {
    const reports = await Promise.all(
      nodes.filter(({ answers }) => answers()).map(({ client }) => client.info('replication'))
    )
    const replicas = reports.filter((text) => /role:slave/.test(text))
    return (
      replicas.every((text) => /master_link_status:up/.test(text)) &&
      reports.length - replicas.length === PRIMARIES &&
      reports.filter((text) => /role:master/.test(text)).every(hasAll)
    )
  }
  await eventually(inStep, STARTS_WITHIN_MS)
  return {
    env: { REDIS_CLUSTER: addresses.slice(0, 3).join(','), ...AS_DOCUMENTED },
    nodes,
    inStep,
    async holdFailovers(isHeld) {
      const runningNodes = nodes.filter((node) => node.answers())
      const setting = ['cluster-replica-no-failover', isHeld ? 'yes' : 'no'] as const
      await Promise.all(runningNodes.map(({ client }) => client.config('SET', ...setting)))
    },
    async primaryOf(key) {
      const { client } = runningNode(nodes)
      const slot = Number(await client.cluster('KEYSLOT', key))
      const slots = (await client.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][]
      const port = slots.find(([from, to]) => from <= slot && slot <= to)?.[2][1]
      return nodes.find((node) => node.port === port) ?? null
    }
  }
}
