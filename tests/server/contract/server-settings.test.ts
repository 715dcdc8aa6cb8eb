import { expect, test } from 'vitest'
import { organization, succeeded } from '../../support/organization.ts'

const org = organization()
const settings = async () => succeeded(await org.nobody.get('/server_settings'))

test('SERVER-01: The server settings hold the feature level, the version and the merge base.', async () => {
  expect(await settings()).toMatchObject({
    service_feature_level: 420,
    service_version: expect.stringMatching(/^\d/),
    service_merge_base: expect.stringMatching(/^\d/),
  })
})

test('SERVER-02: Authentication methods are booleans by name: seven of the service’s own, and five of other providers.', async () => {
  const { authentication_methods: methods } = await settings()
  expect(methods).toEqual({
    password: true,
    email: true,
    dev: false,
    ldap: false,
    remoteuser: false,
    saml: false,
    'openid connect': false,
    github: false,
    azuread: false,
    gitlab: false,
    apple: false,
    google: false,
  })
})

test('SERVER-03: External methods are a list, empty if none is configured.', async () => {
  expect((await settings()).external_authentication_methods).toEqual([])
})

test('SERVER-04: realm_url is the address of the service, and realm_uri its deprecated alias.', async () => {
  const { realm_url, realm_uri } = await settings()
  expect(`${realm_url}/api/v1`).toBe(org.service.baseUrl)
  expect(realm_uri).toBe(realm_url)
})

test('SERVER-05: The organization has a name, an icon that can be fetched and a description in HTML.', async () => {
  org.service.workspace.db.run("INSERT OR REPLACE INTO realm VALUES ('description', 'We are **here** & <i>')")
  const { realm_name, realm_icon, realm_description, realm_url } = await settings()
  expect(realm_name).toBe('Local workspace')
  expect(realm_description).toContain('<strong>here</strong> &amp; &lt;i&gt;')
  const icon = await fetch(new URL(realm_icon, realm_url))
  expect(icon.status).toBe(200)
  expect(icon.headers.get('content-type')).toMatch(/^image\//)
})

test('SERVER-06: push_notifications_enabled, is_incompatible, email_auth_enabled and require_email_format_usernames are booleans.', async () => {
  expect(await settings()).toMatchObject({
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
  })
})

test('SERVER-07: realm_web_public_access_enabled is true if spectators are allowed and a web-public channel exists.', async () => {
  const { db } = org.service.workspace
  expect((await settings()).realm_web_public_access_enabled).toBe(false)
  db.run("INSERT OR REPLACE INTO realm VALUES ('enable_spectator_access', 'true')")
  expect((await settings()).realm_web_public_access_enabled).toBe(false)
  db.run('UPDATE channels SET is_web_public = 1 WHERE channel_id = ?', org.plaza)
  expect((await settings()).realm_web_public_access_enabled).toBe(true)
  db.run("DELETE FROM realm WHERE name = 'enable_spectator_access'")
  db.run('UPDATE channels SET is_web_public = 0 WHERE channel_id = ?', org.plaza)
})
