package io.tidemark.platform.access;

import com.github.benmanes.caffeine.cache.Ticker;
import io.tidemark.platform.access.application.ApiKeyAuthenticator;
import io.tidemark.platform.access.application.ApiKeyBootstrapper;
import io.tidemark.platform.access.application.ApiKeyIssuer;
import io.tidemark.platform.access.application.ApiKeyLookup;
import io.tidemark.platform.access.application.ApiKeyRepository;
import io.tidemark.platform.access.application.ApiKeyUsageListener;
import io.tidemark.platform.access.application.ApiKeyWriter;
import io.tidemark.platform.access.application.AuthFailureListener;
import io.tidemark.platform.access.application.InvitationLookup;
import io.tidemark.platform.access.application.InvitationRepository;
import io.tidemark.platform.access.application.InvitationService;
import io.tidemark.platform.access.application.MemberRepository;
import io.tidemark.platform.access.application.MemberService;
import io.tidemark.platform.access.application.PersonDirectory;
import io.tidemark.platform.access.application.PersonRepository;
import io.tidemark.platform.access.application.ServiceAccountRepository;
import io.tidemark.platform.access.application.ServiceAccountService;
import io.tidemark.platform.access.caffeine.CachingApiKeyLookup;
import io.tidemark.platform.access.domain.SecretHash;
import io.tidemark.platform.access.smtp.SmtpInvitationSender;
import io.tidemark.platform.access.smtp.SmtpMailSender;
import io.tidemark.platform.access.smtp.SmtpProperties;
import io.tidemark.platform.audit.AuditLog;
import io.tidemark.platform.replicas.RowChanges;
import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.IdempotentCreation;
import io.tidemark.platform.shared.ProcessRole;
import io.tidemark.platform.shared.TenantTransactions;
import io.tidemark.platform.tenancy.Environments;
import io.tidemark.platform.tenancy.FirstAdministratorAssigner;
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
    return new SecretHash(properties.pepperBytes(), properties.acceptedPepperBytes());
  }

  @Bean
  Authentication authentication(
      ApiKeyLookup keys,
      SecretHash hash,
      AccessProperties properties,
      RowChanges changes,
      Clock clock,
      ApiKeyUsageListener uses,
      AuthFailureListener refusals) {
    return new ApiKeyAuthenticator(
        new CachingApiKeyLookup(
            keys,
            changes,
            properties.keyCacheTime(),
            properties.keyOutageTime(),
            Ticker.systemTicker()),
        hash,
        clock,
        uses,
        refusals);
  }

  @Bean
  ServiceAccounts serviceAccounts(
      TenantTransactions transactions,
      ServiceAccountRepository accounts,
      ApiKeyRepository keys,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    return new ServiceAccountService(
        transactions, accounts, keys, creation, audit, clock, new SecureRandom());
  }

  @Bean
  ApiKeys apiKeys(
      TenantTransactions transactions,
      ServiceAccountRepository accounts,
      ApiKeyRepository keys,
      Environments environments,
      IdempotentCreation creation,
      AuditLog audit,
      SecretHash hash,
      Clock clock) {
    return new ApiKeyIssuer(
        transactions,
        accounts,
        keys,
        environments,
        creation,
        audit,
        new ApiKeyIssuer.Drawing(hash, new SecureRandom(), clock));
  }

  @Bean
  People people(
      PersonRepository people,
      MemberRepository members,
      TenantTransactions transactions,
      AuditLog audit,
      Clock clock) {
    return new PersonDirectory(people, members, transactions, audit, clock, new SecureRandom());
  }

  @Bean
  FirstAdministratorAssigner firstAdministratorAssigner(People people) {
    return people::administerIfNobodyDoes;
  }

  @Bean
  Members members(
      TenantTransactions transactions,
      MemberRepository members,
      PersonRepository people,
      ObjectProvider<SessionRevoker> sessions,
      Environments environments,
      AuditLog audit,
      Clock clock) {
    // Nobody keeps sessions where nobody signs in.
    SessionRevoker ending = person -> sessions.ifAvailable(kept -> kept.of(person));
    return new MemberService(transactions, members, people, ending, environments, audit, clock);
  }

  @Bean
  Invitations invitations(
      TenantTransactions transactions,
      InvitationService.Repositories kept,
      InvitationService.Tenants places,
      IdempotentCreation creation,
      AuditLog audit,
      Clock clock) {
    return new InvitationService(
        transactions, kept, places, creation, audit, clock, new SecureRandom());
  }

  @Bean
  MailSender mailSender(SmtpProperties mail) {
    return mail.isSet() ? new SmtpMailSender(mail) : MailSender.NONE;
  }

  @Bean
  InvitationSender invitationSender(MailSender mail) {
    return mail.isAvailable() ? new SmtpInvitationSender(mail) : InvitationSender.BY_HAND;
  }

  @Bean
  InvitationService.Repositories invitationRepositories(
      InvitationRepository invitations,
      InvitationLookup links,
      MemberRepository members,
      PersonRepository people) {
    return new InvitationService.Repositories(invitations, links, members, people);
  }

  @Bean
  InvitationService.Tenants invitationTenants(
      Organizations organizations, Environments environments) {
    return new InvitationService.Tenants(organizations, environments);
  }

  /** Runs when all beans exist and the schema is migrated, before any port is opened. */
  @Bean
  @ConditionalOnRole(ProcessRole.CONTROL)
  SmartInitializingSingleton bootstrapKeys(
      AccessProperties properties,
      Organizations organizations,
      ApiKeyWriter keys,
      SecretHash hash) {
    return () ->
        new ApiKeyBootstrapper(organizations, keys, hash).ensure(properties.bootstrapGrants());
  }
}
