package io.tidemark.platform.shared.web;

import io.tidemark.platform.shared.ConditionalOnRole;
import io.tidemark.platform.shared.ErrorCode;
import io.tidemark.platform.shared.ProblemException;
import io.tidemark.platform.shared.ProcessRole;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;
import tools.jackson.databind.json.JsonMapper;

/** Serves the contracts: the YAML files that they are written in, and the same as JSON. */
@Controller
@ConditionalOnRole({ProcessRole.CONTROL, ProcessRole.QUERY})
class ApiDocumentController {

  private static final Pattern NAME = Pattern.compile("[a-z-]{1,40}");

  private final Map<String, String> written = new ConcurrentHashMap<>();
  private final JsonMapper json = JsonMapper.builder().build();

  /** Times stay the texts that they are in examples. */
  private static final class TextResolver extends Resolver {
    @Override
    public void addImplicitResolver(Tag tag, Pattern pattern, String first, int limit) {
      if (!tag.equals(Tag.TIMESTAMP)) {
        super.addImplicitResolver(tag, pattern, first, limit);
      }
    }
  }

  /** The document that most clients are made from. */
  @GetMapping("/openapi.json")
  ResponseEntity<Void> usual() {
    return ResponseEntity.status(HttpStatus.FOUND)
        .location(URI.create("/openapi/metrics-api.json"))
        .build();
  }

  @GetMapping("/openapi/{name}.yaml")
  ResponseEntity<Resource> file(@PathVariable String name) {
    return ResponseEntity.ok().contentType(MediaType.APPLICATION_YAML).body(found(name));
  }

  @GetMapping("/openapi/{name}.json")
  ResponseEntity<String> document(@PathVariable String name) {
    Resource file = found(name);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .body(written.computeIfAbsent(name, ignored -> written(file)));
  }

  private static Resource found(String name) {
    Resource file = new ClassPathResource("static/openapi/" + name + ".yaml");
    if (!NAME.matcher(name).matches() || !file.exists()) {
      throw ProblemException.of(
          ErrorCode.NOT_FOUND, "There is no document of this name; /docs lists all of them.");
    }
    return file;
  }

  private String written(Resource file) {
    LoaderOptions loading = new LoaderOptions();
    DumperOptions dumping = new DumperOptions();
    Yaml yaml =
        new Yaml(
            new SafeConstructor(loading),
            new Representer(dumping),
            dumping,
            loading,
            new TextResolver());
    try (InputStream text = file.getInputStream()) {
      Object document = yaml.load(text);
      return json.writeValueAsString(document);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
