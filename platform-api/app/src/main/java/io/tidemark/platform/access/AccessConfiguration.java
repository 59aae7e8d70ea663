package io.tidemark.platform.access;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.AuthenticatingApiKey;
import io.tidemark.platform.access.application.BootstrappingKeys;
import io.tidemark.platform.access.application.FindApiKey;
import io.tidemark.platform.access.application.FindInvitation;
import io.tidemark.platform.access.application.IssuingApiKeys;
import io.tidemark.platform.access.application.KeepApiKeys;
import io.tidemark.platform.access.application.KeepInvitations;
import io.tidemark.platform.access.application.KeepMembers;
import io.tidemark.platform.access.application.KeepPeople;
import io.tidemark.platform.access.application.KeepServiceAccounts;
import io.tidemark.platform.access.application.KnowingPeople;
import io.tidemark.platform.access.application.ManagingInvitations;
import io.tidemark.platform.access.application.ManagingMembers;
import io.tidemark.platform.access.application.ManagingServiceAccounts;
import io.tidemark.platform.access.application.NoteRefusal;
import io.tidemark.platform.access.application.NoteUse;
import io.tidemark.platform.access.application.StoreApiKey;
import io.tidemark.platform.access.caffeine.RememberingApiKeys;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.smtp.SmtpInvitations;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.AdministerNew;
import io.tidemark.platform.tenancy.Environments;
import io.tidemark.platform.tenancy.Organizations;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the module together. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {

  @Bean
  SecretHash secretHash(AccessProperties properties) {
    return new SecretHash(properties.pepperBytes());
  }

  @Bean
  Authentication authentication(
      FindApiKey keys,
      SecretHash hash,
      AccessProperties properties,
      Clock clock,
      NoteUse uses,
      NoteRefusal refusals) {
    return new AuthenticatingApiKey(
        new RememberingApiKeys(keys, properties.keyCacheTime(), Ticker.systemTicker()),
        hash,
        clock,
        uses,
        refusals);
  }

  @Bean
  ServiceAccounts serviceAccounts(
      TenantTransactions transactions,
      KeepServiceAccounts accounts,
      KeepApiKeys keys,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    return new ManagingServiceAccounts(
        transactions, accounts, keys, creation, audit, clock, new SecureRandom());
  }

  @Bean
  ApiKeys apiKeys(
      TenantTransactions transactions,
      KeepServiceAccounts accounts,
      KeepApiKeys keys,
      Environments environments,
      IdempotentCreation creation,
      AuditLog audit,
      SecretHash hash,
      Clock clock) {
    return new IssuingApiKeys(
        transactions,
        accounts,
        keys,
        environments,
        creation,
        audit,
        new IssuingApiKeys.Drawing(hash, new SecureRandom(), clock));
  }

  @Bean
  People people(
      KeepPeople people,
      KeepMembers members,
      TenantTransactions transactions,
      AuditLog audit,
      Clock clock) {
    return new KnowingPeople(people, members, transactions, audit, clock, new SecureRandom());
  }

  @Bean
  AdministerNew administerNew(People people) {
    return people::administerIfNobodyDoes;
  }

  @Bean
  Members members(
      TenantTransactions transactions,
      KeepMembers members,
      KeepPeople people,
      ObjectProvider<EndSessions> sessions,
      Environments environments,
      AuditLog audit,
      Clock clock) {
    // Nobody keeps sessions where nobody signs in.
    EndSessions ending = person -> sessions.ifAvailable(kept -> kept.of(person));
    return new ManagingMembers(transactions, members, people, ending, environments, audit, clock);
  }

  @Bean
  Invitations invitations(
      TenantTransactions transactions,
      ManagingInvitations.Kept kept,
      ManagingInvitations.Places places,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    return new ManagingInvitations(
        transactions, kept, places, creation, audit, clock, new SecureRandom());
  }

  @Bean
  SendInvitations sendInvitations(SmtpProperties mail) {
    return mail.isSet() ? new SmtpInvitations(mail) : SendInvitations.BY_HAND;
  }

  @Bean
  ManagingInvitations.Kept keptInvitations(
      KeepInvitations invitations, FindInvitation links, KeepMembers members) {
    return new ManagingInvitations.Kept(invitations, links, members);
  }

  @Bean
  ManagingInvitations.Places invitationPlaces(
      Organizations organizations, Environments environments) {
    return new ManagingInvitations.Places(organizations, environments);
  }

  /** Runs when all beans exist and the schema is migrated, before any port is opened. */
  @Bean
  SmartInitializingSingleton bootstrapKeys(
      AccessProperties properties, Organizations organizations, StoreApiKey keys, SecretHash hash) {
    return () ->
        new BootstrappingKeys(organizations, keys, hash).ensure(properties.bootstrapGrants());
  }
}
