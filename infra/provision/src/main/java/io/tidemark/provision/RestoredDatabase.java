package io.tidemark.provision;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Makes lake and topics fit a PostgreSQL that was restored to an earlier moment. The lake's tables
 * are what their newest metadata file says, which lies beside the rows and was not lost: the
 * catalog points to it again. Consumer groups of platform-api go back to the moment: what they read
 * since has to be written to the database once more, and counts once.
 */
public final class RestoredDatabase {
  private static final Pattern METADATA =
      Pattern.compile("(\\d+)-[0-9a-f-]{36}(?:\\.gz)?\\.metadata\\.json");
  private static final String GROUPS = "platform-api-";

  /** Clocks of the broker and of PostgreSQL need not agree to the second. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final Addresses addresses;

  public RestoredDatabase(Addresses addresses) {
    this.addresses = addresses;
  }

  /**
   * Nothing that writes to the lake or reads for platform-api may run. Returns a line for each
   * change; again, it changes nothing.
   *
   * @param moment to which the database was restored, or earlier
   */
  public List<String> follow(Instant moment)
      throws IOException, SQLException, InterruptedException, ExecutionException {
    List<String> told = new ArrayList<>(pointTablesToTheirNewest());
    told.addAll(rewindGroups(moment.minus(MARGIN)));
    return told;
  }

  List<String> pointTablesToTheirNewest() throws IOException, SQLException {
    if (!addresses.isCatalogInPostgres()) {
      return List.of(
          "The lake's catalog at "
              + addresses.catalogUrl()
              + " is not in this database: its tables stay as they are");
    }
    List<String> told = new ArrayList<>();
    try (Connection catalog =
            DriverManager.getConnection(
                addresses.catalogUrl(), addresses.catalogUser(), addresses.catalogPassword());
        Statement look = catalog.createStatement();
        ResultSet tables =
            look.executeQuery(
                "SELECT table_namespace, table_name, metadata_location FROM iceberg_tables"
                    + " WHERE metadata_location IS NOT NULL");
        PreparedStatement point =
            catalog.prepareStatement(
                "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?"
                    + " WHERE table_namespace = ? AND table_name = ? AND metadata_location = ?")) {
      while (tables.next()) {
        String present = tables.getString(3);
        Optional<String> newest = newest(present);
        if (newest.isPresent()) {
          point.setString(1, newest.get());
          point.setString(2, present);
          point.setString(3, tables.getString(1));
          point.setString(4, tables.getString(2));
          point.setString(5, present);
          point.executeUpdate();
          told.add(tables.getString(2) + " is as of " + name(newest.get()));
        }
      }
    }
    return told;
  }

  /** The metadata file with the greatest number beside this one, if it is a later one. */
  private Optional<String> newest(String present) throws IOException {
    String folder = present.substring(0, present.lastIndexOf('/') + 1);
    Optional<String> newest =
        names(folder).stream()
            .filter(name -> METADATA.matcher(name).matches())
            .max(Comparator.comparingLong(RestoredDatabase::number));
    if (newest.isEmpty() || number(newest.get()) <= number(name(present))) {
      return Optional.empty();
    }
    String location = folder + newest.get();
    if (!identity(location).equals(identity(present))) {
      throw ProvisionFailure.engine(
          location
              + " is of another table than "
              + present
              + ". Point the catalog to the right file by hand:"
              + " docs/operations/restore-postgresql.md.");
    }
    return Optional.of(location);
  }

  private static String name(String location) {
    return location.substring(location.lastIndexOf('/') + 1);
  }

  private static long number(String name) {
    Matcher matcher = METADATA.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  private String identity(String location) throws IOException {
    JsonNode metadata = EngineClient.JSON.readTree(content(location));
    return metadata.path("table-uuid").asText();
  }

  private List<String> names(String folder) throws IOException {
    if (folder.startsWith("s3://")) {
      URI uri = URI.create(folder);
      String prefix = uri.getPath().substring(1);
      try (S3Client client = ObjectStoreClient.open(addresses.objectStore())) {
        return client
            .listObjectsV2Paginator(request -> request.bucket(uri.getHost()).prefix(prefix))
            .contents()
            .stream()
            .map(object -> name(object.key()))
            .toList();
      }
    }
    try (Stream<Path> files = Files.list(path(folder))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private byte[] content(String location) throws IOException {
    if (location.startsWith("s3://")) {
      URI uri = URI.create(location);
      try (S3Client client = ObjectStoreClient.open(addresses.objectStore())) {
        return client
            .getObjectAsBytes(
                request -> request.bucket(uri.getHost()).key(uri.getPath().substring(1)))
            .asByteArray();
      }
    }
    return Files.readAllBytes(path(location));
  }

  private static Path path(String location) {
    if (location.contains("://") && !location.startsWith("file:")) {
      throw ProvisionFailure.input(
          location
              + " cannot be listed here: only file: and s3: are built in. Point the catalog to the newest"
              + " metadata by hand: docs/operations/restore-postgresql.md.");
    }
    return Path.of(location.replaceFirst("^file:/*", "/"));
  }

  private List<String> rewindGroups(Instant moment)
      throws InterruptedException, ExecutionException {
    List<String> told = new ArrayList<>();
    try (Admin admin = Admin.create(addresses.access().kafka(addresses.kafka()))) {
      List<String> groups =
          admin.listGroups().all().get().stream()
              .map(group -> group.groupId())
              .filter(group -> group.startsWith(GROUPS))
              .sorted()
              .toList();
      for (String group : groups) {
        Map<TopicPartition, OffsetAndMetadata> read =
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        read.keySet()
            .forEach(
                partition -> asked.put(partition, OffsetSpec.forTimestamp(moment.toEpochMilli())));
        Map<TopicPartition, ListOffsetsResultInfo> then = admin.listOffsets(asked).all().get();
        Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
        then.forEach(
            (partition, found) -> {
              // Without a record since the moment there is none to read again.
              long reached = Objects.requireNonNull(read.get(partition)).offset();
              if (found.offset() >= 0 && found.offset() < reached) {
                back.put(partition, new OffsetAndMetadata(found.offset()));
              }
            });
        if (!back.isEmpty()) {
          admin.alterConsumerGroupOffsets(group, back).all().get();
          told.add(group + " reads " + back.size() + " partitions from " + moment + " again");
        }
      }
    }
    return told;
  }
}
